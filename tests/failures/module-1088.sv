// ENTAIL_SEED=1088 ENTAIL_RANDOM_MODULES=1: judged by Verilator
// output out91 in cycle 1:
//   simulator 111111110
//   entail    111111111 (two-valued)
//             11111111x (three-valued)
// cycle 0: rst_n=1'b1 in1=7'b1111111 in2=5'b00000 in3=3'b111 in4=4'b1011
// cycle 1: rst_n=1'b0 in1=7'b1000000 in2=5'b11110 in3=3'b011 in4=4'b0100
package m1088_pkg;
  typedef struct packed { logic signed [6:0] f0; logic f1; } rec_t;
  typedef union packed { logic [11:0] all; logic [2:0][3:0] row; } either_t;
  typedef enum logic [1:0] {IDLE = 2'd0, LOAD = 2'd1, WORK = 2'd3, DONE = 2'd2} state_t;
  typedef logic signed [1:0] word_t;
  localparam int DEPTH = 5;
endpackage
module m1088_sub0 import m1088_pkg::*; #(parameter int W = 1, parameter logic [3:0] K = 4'd9)(input logic clk, input logic rst_n, input logic signed [6:0] in51, input logic signed [4:3] in52, input logic signed [3:0] in53, input logic [W-1:0] in54, output logic [1:0] out84, output logic signed [1:0] out85, output logic [7:0] out86, output logic signed [9:0] out87);
  shortint q71 = 16'sb0111111111111111;
  logic signed [0:2] q70 = 3'sb000;
  function automatic logic signed [2:0] fn55 (input logic [5:0] p56); 
    logic signed [2:0] r57;
    logic signed [5:0] t58;
    r57 = p56;
    t58 = 34'b1111111111111111111111111111111011 & 4'b1110 -> r57 >= p56[$unsigned(9'so4 >= p56[3:1] >= p56 > r57 & 1'b1)] <= '1;
    r57[2 -: 1] = |p56;
    priority case (p56) inside
      [6'h0:6'h1]: begin
        r57 = t58 ? r57 : r57;
      end
      default: begin
        r57 |= r57[2 -: 3];
      end
    endcase
    return r57;
  endfunction
  function automatic logic [11:0] fn59 (input logic signed [8:0] p60, input logic signed p61, input logic signed [2:-2] p62); 
    logic [11:0] r63;
    byte unsigned t64;
    r63 = p60 - 10'b 11111_11110;
    t64 = word_t'(p61);
    priority case (p60 === 'sh4950_067)
      1'd1: begin
        byte unsigned t65;
        logic signed [2:0] t66;
        t65 = rec_t'(p60);
        t66 = fn55(-p62[0]);
        case ((t66[2]))
          1'd0: begin
            r63 = 33'sb0 || t64[3] >> ~t66[2 -: 3] + r63 + &8 ? r63[9:5] : t64;
            r63 = t64[5:5] * t65;
            r63 = 8'shfd;
          end
          1'd1, 1'd0: begin
            r63[$unsigned(2'b10 % 4'b1100)] = {p60};
            r63++;
            r63[1] = 'o0;
          end
          default: begin
            logic [10:3] t67;
            t67 = 11'(22'o 5155053);
            ++r63;
            r63 = t66;
          end
        endcase
      end
      default: begin
        priority casez ('d8191 || p61 == ~^p62[-1] >>> 'sb100110001_001)
          1'b1: begin
            logic signed [5:0] t68;
            t68 = (t64[$unsigned(3'b111 & p62[2:1])] * p60 + r63[5:3] == p60 <<< p60) >= fn55(p61);
            r63 = $clog2(216);
          end
          1'b0, 1'b0: begin
            logic signed [6:0] t69;
            t69 = 1048576 >= 4'o10 >= ~|r63 + t64;
            r63[3:0] = t64 | !t69[(2'b11 & 32'H2759F_11E) + 3 -: 4] + t69 == t69 != p60;
          end
          1'b1, 1'b0: begin
            r63[9:2] = p62[-1] == r63 === t64 == t64[$unsigned(1'b1 & p60) +: 6];
            r63 = p62[-2] | '1;
          end
          default: begin
            r63[2] = t64 ~^ 63'sb 111111111111111111111111111111111111111111111111111111111111011 ^ -p62[-2 +: 2] + p62[1];
            r63[$unsigned(3'b111 & r63)] = p60[$unsigned(p60 % 3'b100) + 5 -: 6];
            r63 = 4'h0;
          end
        endcase
        if (r63[9:3] - p60) begin
          r63 = p61;
          r63 = $countones(p62[2:0]);
          r63 = '0;
        end
      end
    endcase
    fn59 = r63;
  endfunction
  wire logic signed [10:0] w72 = +q70 - q70 ^ 5'SH2;
  always_ff @(posedge clk) begin
    logic [6:0] t73;
    byte unsigned t74;
    t73 = ^K;
    t74 = !t73[4:3];
    q70[2 -: 3] <= |t73;
    q71[(in52[$unsigned(K[0 +: 4] & 1'b1) + 3] + 511) % 3'b111 + 9 -: 10] <= 4'B111;
  end
  logic [2:0][2:0] c75;
  logic [2:0][2:0] c76;
  always_comb begin
    int n83;
    c75 = in53;
    c76 = W * W;
    priority case ((K))
      4'd6, 4'd12: begin
        c75[1:0] = 'so0 - 8'sb1110100;
        if ({in52[4:4], w72}) begin
          c76 = c76[2:1] ? 4'so 5 : w72;
        end
      end
      4'd7, 4'd7: begin
        int unsigned t77;
        t77 = 10'b1111111111 - c75 || 'h80;
        casez (q71[$unsigned(in54 & 3'b111) +: 8])
          8'b001??11?: begin
            logic [8:3] t78;
            t78 = word_t'(65'h0);
            ++c76;
            c76 = !in52;
            c75[2097151 & 1'b1 +: 1] = in54;
          end
          default: begin
            --c75;
            c76--;
            c75 = -5'hf - ~in51 > K;
          end
        endcase
        c76[2:2] = (7'sb11_1111);
      end
      4'd10: begin
        c75[$unsigned(w72 & 1'b1) +: 2] = K;
      end
      default: begin
        c75 = 2'o 0;
        if ($unsigned(in52)) begin
          logic signed [2:7] t79;
          logic [8:0] t80;
          t79 = (9'o777 ? q70 : W) + {in52};
          t80 = 63'sd1;
          c76[2:1] = 5'b11000 <= in52;
        end else begin
          logic signed [2:2] t81;
          t81 = $signed(K);
          c76[2 -: 3] = {W};
          c76[$unsigned(w72 & 2'b10)][2] = 'D393_5 inside {[32'b00000000000000000000000000000001:32'b00000000000000000000000000000100], [32'b00011100000011000001110000110111:32'b00000000000000000000000000000001], [32'b01011101000101000100010101000100:32'b00000000000000000000000000000001]};
        end
      end
    endcase
    casez (in53[$unsigned(2'b11 & in51)] > in54)
      1'b?: begin
        {c76, c75[W - 2]} = w72 == c76[$unsigned(c76[2:1] % 2'b11)][0 +: 2] <<< w72;
        c76 = in54 * w72;
      end
      default: begin
        logic signed [4:-2] t82;
        t82 = ~&c75 != in54[2:1] ? 8388607 : 5'd0;
        casez (w72 >= W)
          1'b0: begin
            c75 = W + w72[W - 3 +: 1] >> q71[W - 2] === 'sh76_b410 ? !K : q70;
            ++c76;
            c75[1:0] = in54 + '1;
          end
          1'b1, 1'b0: begin
            c75 |= c76;
          end
          default: begin
            c76[2:1] = {q71, 7'sb1011, 1'sh1};
          end
        endcase
      end
    endcase
    n83 = 0;
    while (n83 < 3) begin
      c76 = n83 * w72[n83 + 3 +: 5] - ~63'b111111111111111111111111111111111111111111111111111111111111100 != K[3:0] ? in54 : -K;
      c76[2 -: 3] = $clog2(269);
      c75[1] -= c76;
      ++n83;
    end
  end
  assign out84 = (in52 ^ 36'sd38222809798) + q71[10 +: 5] ** 4;
  assign out85 = q71[$unsigned(c75[2:0] & 1'b1)];
  assign out86 = w72;
  assign out87 = w72;
endmodule
module m1088_top import m1088_pkg::*;(input logic clk, input logic rst_n, input logic signed [6:0] in1, input logic [2:-2] in2, input logic [2:0] in3, input logic [3:0] in4, output logic signed [8:0] out91, output logic signed [1:0] out92);
  logic [-1:-2] q34 = 2'b01;
  logic signed [0:8] q33 = '1;
  function automatic logic signed [7:0] fn5 (input logic signed [4:0] p6, input shortint p7); 
    logic signed [7:0] r8;
    r8 = 12'so 7113 !== 5'sb10000 === p7[$unsigned((8'd252) % 5'b10000)] ~^ p6;
    case (1'so1 === ~^r8[$unsigned(r8 % 3'b111) +: 2] <<< &r8 >> p7 * r8[7:6])
      1'd1: begin
        for (int i9 = 0; i9 < 1; i9++) begin
          r8 = i9 - i9 - r8[$unsigned(r8[2 -: 1] & 3'b111)];
          r8 = p7[$unsigned(2'(1024)) +: 13];
          r8 = r8[1] ? i9 : 'sd15;
        end
        if (p6[1 +: 4] inside {[4'b1101:4'b1111], 4'b1110}) begin
          logic [4:3] t10;
          byte unsigned t11;
          t10 = {3{p7, p6}} inside {63'b111111111111111111111111111111111111111111111111111111111111011, 63'b111111111111111111111111111111111111111111111111111111111111000, 63'b111111111111111111111111111111111111111111111111111111111111100};
          t11 = ~&24'd1 < r8 - '0;
          r8 = 1'so1 >> $unsigned(p6[$unsigned((4'b0 ^~ p6[$unsigned(t11[6] % 2'b11) + 2 -: 3] + p6[3]) & 2'b11) + 1 -: 2] % 2'b10);
        end
      end
      1'd0: begin
        logic signed [4:0] t12;
        byte t13;
        t12 = unsigned'(r8[$unsigned(1'(p6[$unsigned(p7[4] % 3'b101)])) +: 7]);
        t13 = (t12 & t12[4:1]);
        r8 = {>>5{r8}};
        r8[{1'o0}] = t12[2:0] != p6 - r8[$unsigned(t13[{r8[3'b111 & 255 >>> $unsigned(3'b111 & r8[4:3])]}] % 4'b1000)] % 1'd 1 ^ 0;
      end
      default: begin
        r8 = 29'o3777777777 > p6[0 +: 5];
        r8[$unsigned(9'sd 3 % 3'b111) +: 2] |= p6[$unsigned((7'h7f ~^ ~p7 * p6 <= p7) & 2'b11) +: 2];
      end
    endcase
    r8 += p6[0:0];
    return r8;
  endfunction
  function automatic logic signed [11:0] fn14 (input logic signed [5:0] p15, input int p16, input logic signed [4:0] p17); 
    logic signed [11:0] r18;
    r18 = 0 + p15 + 70'so0 + p15 >= p17;
    priority casez (p17[$unsigned((p17[$unsigned(1'(p17)) + 3 -: 4] || 6'sd63) & 1'b1) + 1 -: 2] > r18[{r18[11]} + 3 -: 4])
      1'b?: begin
        for (int i19 = 3; i19 >= 0; i19--) begin
          r18[{r18[5]}] = 'b0;
          r18[1 +: 9] = (i19);
          r18[0 +: 11] = p16 >> i19;
        end
        repeat (2) begin
          logic [3:0] t21;
          logic [5:0] t22;
          t21 = 8'H7F ? p17[$unsigned(2'b11 & p17[2 +: 3]) +: 2] : p15;
          t22 = t21[$unsigned(t21 % 3'b100)] ? 0 : t21[$unsigned(p15 & 1'b1) + 2 -: 3];
          r18 = !p15[0 +: 5];
          r18[$unsigned(3'(8191)) + 1 -: 2] = p15 << t22 < 70'SB1 - t22;
          r18[$unsigned(3'(t21))] = ~^r18 == p17 | p16 !== p17[4];
        end
      end
      1'b?: begin
        if (p15 < 11'b 10000000000 * p17) begin
          r18[9:0] = ~|r18 - p15 | p16 | -p17[2 +: 1];
          r18 = 7'(5'o20);
        end
        r18[$unsigned(p16[5 +: 6] % 4'b1000) + 4 -: 5] = r18 >= p15[$unsigned(31'h0 % 2'b10) + 4 -: 5];
      end
      1'b0, 1'b0: begin
        logic signed [5:0] t23;
        int unsigned t24;
        t23 = p16 ? 1'so1 : p15[5 -: 6];
        t24 = $unsigned(p17 ? p15 : t23);
        if ($signed(64'SO1777777777_777777777776)) begin
          r18 = p17 <-> r18[2];
        end
      end
      default: begin
        if (unsigned'(r18[0 +: 12])) begin
          logic [3:0] t25;
          t25 = p17 inside {[5'sb01111:5'sb11111], 5'sb01111, [5'sb01111:5'sb10000]};
          --r18;
        end else begin
          r18 = |201 | p15 << p15[$unsigned(r18 & 2'b11)] ** 4'b0101 - p17[$unsigned(p16[20:7] % 3'b100) +: 2];
          r18[p16 % 2'b11 +: 10] = p16 -> p16;
        end
        casez (|r18)
          1'b0, 1'b1: begin
            r18[9:3] = {r18[4:0], p16, r18[$unsigned(1'(p16)) + 10 -: 11]};
            r18[$unsigned(r18[3'b111 & 'so2 +: 5] & 1'b1) + 2 -: 3] = r18 + !p16;
          end
          1'b0, 1'b1: begin
            r18 = $bits(p16);
            r18[((r18[5] & r18 ? p16 : p16) & 1'b1) + 10 -: 11] = !p17 || 22'd2097152 && p16[21];
          end
          default: begin
            r18 = r18[$unsigned(p17 & 2'b11) +: 8] | r18 < p16[$unsigned(5'(signed'(r18[11:5])))] || p17 << ~&r18;
            ++r18;
          end
        endcase
      end
    endcase
    fn14 = r18;
  endfunction
  function automatic void task26(input logic [8:3] p27, input logic signed [12:3] p28, output logic [7:0] p29); 
    p29 = {p27, p28[12 -: 10], p27[5:3]}[18:17];
    priority if (p27[$unsigned(1'b1 & 6'SB111111) + 3 +: 4] * 7'sh70 + ^p28) begin
      if (32'so37777777777 ^~ p27) begin
        p29[3:3] = -p28;
        p29 = p27 | p27 - |p29[{8'so177 != ~^'1 == ~p27 != 2097151}] || 15 -> +p27;
      end
      p29[$unsigned(3'b111 & p27)] = (p29);
      casez (4'sb111 != p29[0 +: 2])
        1'b1, 1'b0: begin
          p29[5:1] = 32'so34346101751 ? p29 : p27;
          p29[$unsigned(3'b111 & (p29))] = p29[$unsigned(3'b111 & p27)] && p29[$unsigned(3'(longint'(p29))) +: 1] <<< ~p28[12:7];
        end
        1'b?: begin
          p29[$unsigned(('0 ^ p29) & 3'b111)] = p28;
        end
        default: begin
          p29[$unsigned(3'(p29[$unsigned(2'b11 & p27) +: 4]))] |= p29[$unsigned(3'b111 & p27)];
          p29 = {p29, p27, p28[12:3]};
          p29[$unsigned(2'(1'sb0)) + 4 -: 5] = p29 ? p28 : p27[$unsigned(p28 & 2'b11) + 3];
        end
      endcase
    end else begin
      logic signed [9:0] t30;
      shortint unsigned t31;
      t30 = longint'(p28);
      t31 = unsigned'(p28[$unsigned(1'b1 & 11'o1777) + 3 +: 9]);
      for (int i32 = 0; i32 < 2; i32 += 2) begin
        p29 = p29[$unsigned(t30[$unsigned(p27 & 2'b10) + 7 -: 8] & 3'b111)] > i32;
      end
    end
  endfunction
  rec_t c35;
  logic signed [8:3] c36;
  logic [2:0] c37 [0:3];
  always_comb begin
    logic [9:0] t39;
    c35 = 445071961 % 11'b11_111011111 + ^25'o1;
    c36 = $unsigned(in2 < 5'B1111);
    for (int i38 = 0; i38 <= 3; i38 = i38 + 1) begin
      c37[i38] = &in3 > in2[1] ^ q33;
    end
    t39 = (in4 != 2'sd 0 ? c35.f1 : c36) ? ~&q33[6:8] : {q34, 5'sb11000, c35.f0};
    {c37[2], c35.f0[$unsigned(q33 & 2'b11)]} = {q34[-1:-2], c37[1][$unsigned(c36 % 2'b10) +: 2], q33};
    c37[q34] = t39 | c36 ** 3 ^~ in2[$signed({1'b0, $unsigned(2'(3'sb10))}) - 2] | ~|6'sh 3;
  end
  logic [3:0] g46;
  if (4 > 1) begin : first
    assign g46 = c36 - in2[0:-2] + q34[-2:-2] - q33[in3] < in4[3:0];
  end else begin : second
    assign g46 = unsigned'(c37[q34][$unsigned(q34 & 2'b10)]) ? q34 : {2{c36}};
  end
  logic [5:0] g48;
  for (genvar gv49 = 0; gv49 < 3; gv49++) begin : blk50
    case (gv49) 0, 2: begin : even
      assign g48[gv49 * 2 +: 2] = in3[1 +: 2] + in1;
    end default: begin : odd
      assign g48[gv49 * 2 +: 2] = in3[$unsigned(g46[3:3] % 2'b10) + 1 -: 2] && g46[q34 +: 1] >= in2 + 0 < !in3;
    end endcase
  end
  logic signed [6:0] in51;
  assign in51 = 13'sd 5524 >> in2 <= g46[$unsigned(in4[q34] % 3'b100)] ? 175337961 : c37[$unsigned(c35 % 3'b100)];
  logic signed [4:3] in52;
  assign in52 = c35;
  logic signed [3:0] in53;
  assign in53 = !$onehot(5'sb10000);
  logic [3:0] in54;
  assign in54 = rec_t'({<<8{in1[6:0], c35.f1}});
  logic [1:0] out84;
  logic signed [1:0] out85;
  logic [7:0] out86;
  logic signed [9:0] out87;
  m1088_sub0 #(.W(4), .K(5)) u88(.*);
  always_ff @(posedge clk) begin
    if (g48 ? 12'sb110 : c36[$unsigned(q34 & 2'b11) + 3]) begin
      logic signed t89;
      byte unsigned t90;
      t89 = out85[$unsigned(1'b1 & c36)];
      t90 = out86[2] + g48 >>> out84;
      q33[3:4] <= q34[$signed({1'b0, $unsigned(1'(6'sh3b))}) - 2];
      q34[-1 -: 2] <= '1;
    end
  end
  assign out91 = c37[out84][0] ~^ 'sh3ffff ** 4'b0011 < in1;
  assign out92 = out84;
endmodule
