// ENTAIL_SEED=40 ENTAIL_RANDOM_MODULES=1: judged by Verilator
// output out115 in cycle 0:
//   simulator 0001
//   entail    0011 (two-valued)
//             00xx (three-valued)
// cycle 0: rst=1'b0 in1=10'b0000000101 in2=6'b000000
package m40_pkg;
  typedef struct packed { logic f0; logic signed [3:0] f1; logic [3:0] f2; logic signed [4:0] f3; } rec_t;
  typedef union packed { logic [11:0] all; logic [2:0][3:0] row; } either_t;
  typedef enum logic [1:0] {IDLE = 2'd0, LOAD = 2'd3, WORK = 2'd2, DONE = 2'd1} state_t;
  typedef logic signed [5:0] word_t;
  localparam int DEPTH = 6;
endpackage
module m40_sub0 #(parameter int W = 1, parameter logic [3:0] K = 4'd9)(input logic clk, input logic rst, input logic [W-1:0] in24, input logic [W-1:0] in25, input logic signed [-1:-2] in26, input logic [5:0] in27, output logic signed [5:0] out99, output logic [9:0] out100, output logic signed [9:0] out101);
  logic [2:0] q73 = 3'b101;
  logic signed [8:3] q72;
  m40_pkg::either_t q71;
  logic [2:0][3:0] q70;
  logic signed [7:0] q69 [0:3] = '{default: 8'sb00110001};
  localparam logic [4:0] P28 = 5'b01111;
  localparam int N29 = 2;
  function automatic logic [9:0] fn30 (input byte unsigned p31); 
    logic [9:0] r32;
    r32 = p31 + 5'b111 !=? 8'b?0x101x0 == p31;
    for (int i33 = 0; i33 < 3; i33++) begin
      case ({p31[4:1], r32[9:3]}[10:9])
        2'd1, 2'd3: begin
          r32 = r32[7 +: 1] - p31;
          r32 = p31;
          r32[i33 + 1] = i33 / 35'sh2 - r32 && i33;
        end
        2'd0, 2'd1: begin
          r32[i33] = $unsigned(p31);
          r32 = 20'sb11111111111111111111 + p31[i33 % 3'b111 +: 2] + 8'o370;
        end
        default: begin
          logic signed [5:0] t34;
          t34 = $signed(i33);
          r32 ^= r32;
          r32 = r32 || 'SO107502435;
        end
      endcase
    end
    for (int i35 = 0; i35 < 1; i35++) begin
      if (i35 === ~i35 - r32[$unsigned(3'(i35 <<< r32 > 65536 <= p31 || r32))] ^~ p31 ? r32[$unsigned(12'b11111111111 & 2'b10)] : r32[7:1]) begin
        r32 = &p31 + |p31[i35 + 2] ==? 8'b0100010x;
        r32[1] ^= r32;
        r32 = {p31[i35], 9'sb 111110011, r32};
      end
    end
    fn30 = r32;
  endfunction
  function automatic logic signed [3:0] fn36 (input int unsigned p37); 
    logic signed [3:0] r38;
    r38 = fn30(p37);
    priority casez (r38[2 -: 3])
      3'b??0, 3'b?01: begin
        if (!r38 & r38 <<< r38) begin
          r38[$unsigned(r38[2] & 2'b11)] ^= p37;
          r38[3:2] = p37 | p37 < 'SH0 > p37;
        end
        casez (r38[$unsigned(p37[13:11] % 3'b100)])
          1'b0, 1'b0: begin
            r38[3:1] ^= r38[1:1];
          end
          default: begin
            r38[$unsigned(1'b1 & (p37 ? r38 : r38[3:0])) + 2 -: 3] = r38[$unsigned(1'b1 & r38[2:0]) +: 2] >> p37[31:21];
            r38 = p37;
            r38 = p37 < 7 < p37 ^ r38[$unsigned(11'sd15_87 % 3'b100)];
          end
        endcase
      end
      3'b??0, 3'b000: begin
        r38 = !p37[18];
        priority casez (m40_pkg::state_t'(r38))
          2'b11, 2'b??: begin
            r38[3:1] = r38 ? r38 : 64'sd16742856940581907098;
            r38[0] = 21'(p37[29:10]);
          end
          2'b10, 2'b??: begin
            logic signed [0:3] t39;
            logic [7:0] t40;
            t39 = signed'(r38[$unsigned(2'(r38))]);
            t40 = 10'sd1 << 'SB0 & 'b101101110100011011011 & !t39;
            r38 = &28'SB1111111111111111111111111100;
            r38[131071 & 2'b10 -: 1] = !38'h1fffffffff;
          end
          2'b00, 2'b1?: begin
            r38 &= p37;
          end
          default: begin
            logic signed [6:0] t41;
            t41 = p37 <= !p37 * 1'b1;
            r38[$unsigned(2'b11 & {r38}) -: 1] -= 9'o0;
            r38 = p37[5'b11111 & p37] <<< r38[3:1] >> r38[p37 & 2'b10 +: 2] + +10'd10_23 & 9'so2;
            r38 = 'd0 ? p37 : t41;
          end
        endcase
      end
      default: begin
        if ($onehot(p37)) begin
          r38[0 +: 4] = p37 == p37;
        end
      end
    endcase
    casez ((p37[$unsigned(5'(1'(p37[$unsigned(5'(p37[$unsigned((11'sh7fc ? p37[$unsigned({4{r38[$unsigned(p37[{r38[$unsigned(r38 & 2'b11)]}] % 3'b100)], 4'sb 0}} % 6'b100000)] : r38[1:0]) & 4'b1111) + 10 -: 11]))])))]))
      1'b1: begin
        shortint t42;
        t42 = r38[p37 & 2'b11];
        r38[3] += p37[4'b1111 & (p37 & t42) +: 15];
        for (int i43 = 0; i43 < 2; i43++) begin
          r38[3:1] = 10'({3{1'd1, t42[4], i43}});
        end
        priority case (t42 !== r38[2 -: 2] > ^t42 >>> p37) inside
          1'b?, [1'h1:1'h1]: begin
            logic signed [9:0] t44;
            byte t45;
            t44 = r38 < r38[2];
            t45 = 5'o37 ~^ t42 + r38 && t44[p37 % 4'b1010];
            r38[0:0] = {t44, p37, 1'sd1};
            r38[0] = m40_pkg::word_t'('1);
          end
          default: begin
            r38 = r38[3:2] ^~ '1;
            r38[1] = r38 || 2'h1 & r38[$unsigned(20'so1327042 % 2'b10) +: 3];
          end
        endcase
      end
      1'b?: begin
        r38[2:0] = fn30(r38);
        r38 = +9'so 3;
        casez (p37[31] inside {[1'b1:1'b1], [1'b0:1'b0]})
          1'b?: begin
            r38 &= p37;
            r38[{p37[21]}] = -r38;
          end
          default: begin
            logic signed [8:0] t46;
            t46 = 5'sb11000 & p37[17:12];
            --r38;
            r38[$unsigned(2'b11 & {2{r38}}) -: 1] += p37;
            r38[1:1] &= r38[$unsigned(1'(r38[3:1])) + 2 -: 3];
          end
        endcase
      end
      1'b?, 1'b?: begin
        r38 = ~|p37;
      end
      default: begin
        logic [0:8] t47;
        logic signed [5:0] t48;
        t47 = ~^p37 >>> r38 | p37 >> r38;
        t48 = (t47);
        if (~|p37 + 33'o77777777777 - r38 & t48 & -r38[1]) begin
          logic signed [3:0] t49;
          t49 = !(8'so377 + t47[4:8]);
          r38[p37 & 1'b1] = ~|t49;
        end else begin
          r38 = r38 ^ p37 ** 4'sb0100;
          r38[0 +: 4] ^= t47;
        end
        if (t47 & t48[0 +: 4] ? ^t47[0:1] : r38[3:2]) begin
          r38[2] = 32'sh80000_000 ? 6'sb101100 : t47;
          r38[$unsigned(r38[$unsigned(r38[3:2] % 3'b100)] % 3'b100) -: 1] = r38 - t48 - 33'shffffffff;
          r38 -= t47[8:8];
        end else begin
          logic [4:3] t50;
          t50 = 8'sd7;
          r38 = 2'B10 > r38 < t48[5:1];
        end
        for (int i51 = 0; i51 < 2; i51++) begin
          r38 = $clog2(116);
        end
      end
    endcase
    if (10'd101_9 * p37) begin
      return 25'b1111000110110001_111101011 + &65'sb0;
    end
    if (p37 / 11'so1) begin
      r38[$unsigned(1'b1 & '1) + 1 -: 2] -= p37[$unsigned(5'(r38[3 -: 4]))];
    end
    return r38;
  endfunction
  logic [5:0] c74;
  always_comb begin
    c74 = q73 ^ q73[$unsigned(q69[6 - W] & 2'b10)] >= in24 + q72 || q72 ? 'd1048576 : W;
    casez (W <= q72)
      1'b?: begin
        c74 = ~&in26 - 8'o0;
      end
      default: begin
        c74[4] = $onehot(W);
      end
    endcase
  end
  initial begin q70 = 12'b000000000010; q71 = '1; end
  initial begin q72 = 6'sb000001; end
  always @(posedge clk) begin
    logic [4:3] t78;
    logic [5:0] t79;
    t78 = in27[W - 1 +: 2] ? c74 : q71.row[1][0 -: 1];
    t79 = K;
    for (int i80 = 0; i80 < 1; i80++) begin
      q72[W + 1 +: 3] <= ~^i80;
    end
  end
  always_ff @(posedge clk) begin
    logic [0:1] t81;
    logic [0:8] t82;
    t81 = ~|'0 < 10'D102_3 ^ ~|in26 ^~ in27;
    t82 = in24 + in27 === ~^q69[W - 1][N29];
    unique case (q71.row[$unsigned(1'(q72))])
      4'd8: begin
        logic [4:0] t83;
        t83 = 12'(6'H20);
        priority case (t83 != q72) inside
          1'b?, 1'b0: begin
            q73 <= 0;
            q73[1:1] <= ~in24 > q70 + in24;
          end
          default: begin
            int unsigned t84;
            shortint t85;
            t84 = t81;
            t85 = in25 * q71.all - c74[t81 + 1 -: 2] >= q71;
            q73[0] <= 64'b 0 >= t85 >= ~&in26[-2:-2] & q71.row[0 +: 2];
            q73 <= q72 ? t81 : K[2];
          end
        endcase
        case (q69[$unsigned(2'(&N29))][5:1]) inside
          [5'h10:5'h10], 5'b0?1??: begin
            logic [8:0] t86;
            t86 = in25 ? q70[0:0] : t83;
            q73 <= q71.all[6:1] - q70 + in27;
            q73 <= q70[$unsigned(1'b1 & t83[4:1])][3 -: 4] == q73[1:0] << W || t86;
          end
          default: begin
            logic [0:7] t87;
            logic signed [5:0] t88;
            t87 = 29'd5368709_10;
            t88 = q72[3 +: 2] ==? 12'b1101??x01x00;
            q73 <= t82;
            q73[1] <= ~9'sh0 && ~&t88[5:1] <<< q73[1:0] > 8'so377;
            q73 <= q72[7:7];
          end
        endcase
        q73 <= {q72[8:5], in26}[5:4];
      end
      default: begin
        logic signed [2:5] t89;
        logic signed [7:0] t90;
        t89 = $signed(in26 % 242176);
        t90 = 3'('sd1048575 ^ N29);
        casez (c74 - t82[7:8] <= in26[W - 5 -: 1] >> q73 >= t89[t81 + 2])
          1'b?: begin
            q73[2:0] <= q69[3] & 6'b11_1111;
            q73 <= (in27[W + 1]);
            q73 <= {in25[t81], q72};
          end
          default: begin
            q73 <= t81[$unsigned(q70 % 2'b10) +: 1];
            q73[$unsigned(t89 & 1'b1) + 1 -: 2] <= t81 - t82;
          end
        endcase
        case ($onehot(q69[t81][7:1])) inside
          [1'h1:1'h1]: begin
            shortint t91;
            t91 = $unsigned(P28[$unsigned(2'b11 & t89)]);
            q73[2:2] <= 9'h1 || t91;
          end
          1'b1: begin
            q73 <= ~&W;
          end
          [1'h1:1'h1], 1'b?: begin
            q73 <= {t82[3]};
            q73[$unsigned(1'(q73))] <= t90 inside {8'sb10101010, 8'sb00000000, [8'sb00000110:8'sb00000001]};
            q73 <= 7'b1_111111 !=? 10'b?x100??000;
          end
          default: begin
            logic [2:5] t92;
            t92 = ^q70[0 % 2'b11][3:0];
            q73 <= W;
          end
        endcase
        q73 <= {c74, K[3:2], t90};
      end
    endcase
    q73 <= &t81[0:1] != ~^N29 + P28[W] < ~|in25;
    if ((in27)) begin
      logic signed [0:6] t93;
      logic [0:0] t94;
      t93 = 'b111011_1100111101101 <= P28[$unsigned(1'b1 & c74[9 - W -: 2]) +: 3];
      t94 = in26 & in27 ? c74[3 -: 4] >= 5'sb11100 : |q69[5 - W];
      case (6'd32 != in24 <= K)
        1'd1, 1'd1: begin
          logic [0:9] t95;
          t95 = q72 <= 10'so737 ^ +K;
          q73[t94 +: 2] <= K[2:2] >>> N29 - 1;
          q73 <= 39'h 1 % 10'so1000;
        end
        1'd1, 1'd1: begin
          q73 <= {4{t81}};
          q73[t94 + 1 -: 2] <= fn30(in27);
        end
        default: begin
          logic signed [5:0] t96;
          int t97;
          t96 = (in24[t81]);
          t97 = !in25 * ~&7'h24 != N29;
          q73 <= |t93[3:6] || 'b1;
        end
      endcase
    end
  end
  m40_pkg::either_t c98;
  always_comb begin
    c98 = q70[N29 - 1 +: 2];
    c98.row = W * in26;
  end
  assign out99 = q72;
  assign out100 = q72;
  assign out101 = q73;
endmodule
module m40_top import m40_pkg::*;(input logic clk, input logic rst, input logic [9:0] in1, input logic signed [5:0] in2, output logic [8:0] out114, output logic [3:0] out115);
  logic [6:0] q16 [0:3] = '{default: 7'b0111111};
  either_t q15;
  logic [7:0] q14;
  word_t q13;
  logic [3:0][1:0] q12 = '0;
  logic signed [4:0] q11 = 5'sb01001;
  logic [6:0] q10 [0:3] = '{default: 7'b0000000};
  function automatic logic fn3 (input logic signed [0:1] p4, input int unsigned p5); 
    logic r6;
    logic signed [2:9] t7;
    shortint unsigned t8;
    r6 = p4[0 +: 2] inside {2'b10};
    t7 = (p4 ? 4'hd : p5[31 -: 32]) >= +p4;
    t8 = r6 <<< 16777215 - r6;
    r6 = 26'b10000000000000000000000_000 ^ p4[0 +: 1];
    r6 = t7 inside {[8'sb00010011:8'sb11111111], [8'sb00000100:8'sb00000000]};
    case (t7[$unsigned(2'(p5[$unsigned(~&t7 % 6'b100000)])) + 3 -: 2] || t7) inside
      1'b?: begin
        logic [7:0] t9;
        t9 = t8 || t7 ^ t7;
        r6 += t7[3];
      end
      [1'h1:1'h1]: begin
        r6 = |t7;
        r6 = t7[r6 + 6 -: 5] != p5;
      end
      default: begin
        r6--;
        --r6;
        if (p4[$unsigned(1'(p5[r6 + 3 -: 4]))] ^ t7) begin
          r6 = t7[r6 + 2 +: 3] - p4[0:0];
        end
      end
    endcase
    fn3 = r6;
  endfunction
  logic [2:3] c17;
  always_comb begin
    int n18;
    c17 = in1 - ~|q10[$unsigned((~in2 !== q14[$unsigned(3'(0))] ? q15 : 1'h0) % 3'b100)][6 -: 1];
    c17[2:3] = {2'(32)};
    n18 = 0;
    while (n18 < 1) begin
      ++c17;
      --c17;
      c17 = ~^q15.all[c17 + 7 -: 8];
      ++n18;
    end
  end
  logic [5:0] c19 [0:3];
  logic [3:0][1:0] c20;
  always_comb begin
    byte t22;
    for (int i21 = 0; i21 <= 3; i21 = i21 + 1) begin
      c19[i21] = $unsigned(q14);
    end
    c20 = '1 * q11 > in1 ? c17 : in1[6:5];
    t22 = q13 << in1[$unsigned(1'('sd33554432)) + 7 -: 8] >>> 1'sh1;
    c19[0][5:4] = t22 + 31'sh40000000 ? in1[$unsigned(3'(c19[c17])) +: 2] : q15;
  end
  wire logic signed [11:0] w23 = {1'(0)} & &(1'o1 === q10[$unsigned(q10[0] & 2'b10)] ** 4'sb0001 | q13[$unsigned(in2[1] & 1'b1) +: 4] << -q14);
  logic [3:0] in24;
  assign in24 = fn3(q11, 10'sb11111_1111);
  logic [3:0] in25;
  assign in25 = (10'h0);
  logic signed [-1:-2] in26;
  assign in26 = in2;
  logic [5:0] in27;
  assign in27 = $onehot(26'h 1ffffff ? 147988 : q16[c17][$unsigned(w23 % 3'b111)]);
  logic signed [5:0] out99;
  logic [9:0] out100;
  logic signed [9:0] out101;
  m40_sub0 #(4) u102(.*);
  always @(posedge clk) begin
    if (rst == 1'b1) begin
      for (int i105 = 0; i105 <= 3; i105++) begin
        q10[i105] <= '0;
      end
      q11 <= 5'sb10000;
      q12 <= '1;
    end else begin
      byte unsigned t103;
      t103 = in2[c17 +: 1] * q15.row;
      foreach (q10[i104]) begin
        q12 <= rec_t'(9'sb100000000);
        case (q10[1] inside {7'b0000001, [7'b0110000:7'b0000001]}) inside
          1'b1: begin
            q10[c17] <= out101 ? 'so0 : i104;
          end
          [1'h1:1'h1]: begin
            q12[2 +: 1] <= in1[8 -: 9];
          end
          default: begin
            q11 <= q12 ? out100[$unsigned(3'b111 & out100)] : 4'H3;
            q12[3 -: 4] <= shortint'(37'b10000_00000000000000000000000000000000);
            q11 <= 'so0 == w23;
          end
        endcase
        priority casez ({in2})
          6'b01?00?: begin
            q10[1][5:4] <= out101[9:8];
            q12[2 -: 3] <= ~^c17[$unsigned(1'(c20[c17 -: 1])) + 2] + ^c19[$unsigned(2'b11 & q11)][i104 + 1];
            q10[$unsigned(2'(c20[2] > i104 ^ |i104))][4] <= ^out101[3:3];
          end
          default: begin
            q12[2:1] <= t103 >>> c17;
            q10 <= '{default: c17 == out100 ^ out100[c17 + 2 -: 3]};
            q10[i104][1:0] <= 40'h0;
          end
        endcase
      end
    end
  end
  initial begin q13 = 6'sb001100; q14 = 8'b00000110; q15 = '1; end
  always @(posedge clk) begin
    if (q16[$unsigned(2'b11 & w23)] << c17) begin
      priority casez (fn3(c19[$unsigned(2'b11 & (q10[c17][1:0] != q15 ^~ q14[4:3]))], 'sd268435456))
        1'b0, 1'b1: begin
          for (int i106 = 4; i106 >= 0; i106--) begin
            q15 <= q10[3] >>> q16[$unsigned(2'(q15 + 39'sd217567933227))][5 -: 1] >> in1;
            {q13, q15.row} <= in2 >>> q16[c17][i106 + 1] - '1 / 6'sh1;
          end
        end
        1'b1: begin
          shortint t107;
          t107 = fn3(18'b1000110111111101, c17);
          q13 <= 5'b10000 | 2'o1;
        end
        default: begin
          for (int i108 = 0; i108 < 3; i108++) begin
            q13[$unsigned(2'b11 & out100)] <= ~|'h0;
            {q13[$unsigned(1'b1 & out101[0 +: 10]) +: 5], q15.all} <= (i108);
            q13 <= !in2[i108 + 3];
          end
        end
      endcase
      q15.row <= q13[5] ^ q11 ** 4'b0010 == c20[$unsigned(2'b11 & w23)];
      if ((q16[3][c17 + 2 -: 3])) begin
        logic signed [3:0] t109;
        t109 = {63'd 7, q10[0][c17]}[52:35];
        for (int i110 = 0; i110 < 2; i110++) begin
          q13 <= '1 - &t109[3:1];
          q15 <= in2 ? out100 : out99;
          q14 <= 11'(q15.row);
        end
      end
    end
  end
  always @(posedge clk) begin
    if (rst) begin
      for (int i113 = 0; i113 <= 3; i113++) begin
        q16[i113] <= 7'b1000000;
      end
    end else begin
      logic signed [2:0] t111;
      byte t112;
      t111 = q13;
      t112 = q10[3][c17] ? 10'h 200 : 0;
      q16[2] <= +in1;
      q16 <= '{default: 70'B0};
    end
  end
  assign out114 = out101;
  assign out115 = out99;
endmodule
