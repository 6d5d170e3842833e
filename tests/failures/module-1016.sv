// ENTAIL_SEED=1016 ENTAIL_RANDOM_MODULES=1: judged by Verilator
// output out125 in cycle 6:
//   simulator 0000000
//   entail    0000001 (two-valued)
//             000000x (three-valued)
// cycle 0: rst=1'b0 in1=2'b11 in2=4'b0000 in3=9'b100000000
// cycle 1: rst=1'b1 in1=2'b11 in2=4'b1110 in3=9'b000000000
// cycle 2: rst=1'b1 in1=2'b01 in2=4'b0111 in3=9'b100000000
// cycle 3: rst=1'b0 in1=2'b10 in2=4'b0001 in3=9'b000000111
// cycle 4: rst=1'b0 in1=2'b00 in2=4'b1000 in3=9'b011111001
// cycle 5: rst=1'b0 in1=2'b00 in2=4'b0101 in3=9'b000000011
// cycle 6: rst=1'b0 in1=2'b11 in2=4'b1011 in3=9'b000000000
package m1016_pkg;
  typedef struct packed { logic signed f0; logic [6:0] f1; logic signed [5:0] f2; logic signed [3:0] f3; } rec_t;
  typedef union packed { logic [7:0] all; logic [1:0][3:0] row; } either_t;
  typedef enum logic [1:0] {IDLE = 2'd2, LOAD = 2'd1, WORK = 2'd3, DONE = 2'd0} state_t;
  typedef logic signed [4:0] word_t;
  localparam int DEPTH = 4;
endpackage
module m1016_sub0 import m1016_pkg::*; #(parameter int W = 1, parameter logic [3:0] K = 4'd9)(input logic clk, input logic rst, input logic [W-1:0] in41, input logic signed [9:3] in42, output logic [3:0] out92, output logic signed [12:0] out93, output logic signed [3:0] out94, output logic [12:0] out95);
  rec_t q70 = 18'b100000000000000000;
  logic signed [2:0] q69 [0:1];
  logic [8:0] q68 = '0;
  logic [1:0][3:0] q67;
  logic signed [3:0] q66 = 4'sb1111;
  localparam logic [2:0] P43 = 3'b001;
  localparam int N44 = 2;
  function automatic logic fn45 (input logic signed [0:8] p46); 
    logic r47;
    r47 = ~^7'D127 ? p46[1:5] ^~ p46 >>> 'o1777777777 + ~|p46[8 -: 9] : p46 ? p46[6] : p46;
    r47 = 262143 >> $unsigned(p46 & 1'b1);
    case (r47 inside {[1'b0:1'b1]})
      1'd1, 1'd1: begin
        logic signed [2:9] t48;
        logic [7:3] t49;
        t48 = p46 - 10'd489 | p46 == r47;
        t49 = p46[$unsigned(7'sd1 & 2'b10)] >> |t48 != !p46;
        priority case (p46 > '1)
          1'd1: begin
            r47 = |p46;
            r47 = {31'SB1111111111111111111111111111000, t49, r47}[30:17];
            r47 = r47 <-> 16777215;
          end
          1'd0: begin
            r47 = t48[2:9] >= r47 <-> 10'sd1_016 <-> &t49[$unsigned(r47 % 3'b101) + 3];
            r47 &= t49[5:3];
          end
          default: begin
            r47 = t48[8:9] !=? 2'b10;
            r47 = p46 | ~r47 !=? 6'b0?1x01 ? p46 : p46;
            r47 = 10'sd0 ? r47 : '1;
          end
        endcase
        r47 -= t49;
      end
      1'd1: begin
        case (12'sh 1 !=? 8'b010?00?0)
          1'd0, 1'd0: begin
            r47 = 1'sh1;
            r47 -= r47;
          end
          1'd0: begin
            r47 = p46 < p46;
          end
          1'd0: begin
            logic signed [0:8] t50;
            t50 = {5'h 1d, p46[$signed(0) & 3'b111], p46};
            r47 |= r47;
            r47 &= p46[$unsigned(3'b111 & 2'b0)];
            r47 = |t50;
          end
          default: begin
            r47 = 8'sb111111_10 >>> p46 && ~&6151494 ** 4;
          end
        endcase
        r47--;
        r47 &= r47;
      end
      default: begin
        r47 = p46[5] | p46[4];
        priority case (p46 + r47 && p46 % 19'h7_fffd == p46[$unsigned((6'o 26) & 2'b11)])
          1'd0, 1'd0: begin
            --r47;
            r47 = p46 != r47 == p46[$unsigned(3'(r47))] <= 32767 * ^30'sd1;
          end
          default: begin
            logic [8:0] t51;
            t51 = 4095;
            r47 = ~&p46[$unsigned(p46[2:5] & 3'b111)];
            r47 = 0;
          end
        endcase
      end
    endcase
    r47 = $countones(p46);
    fn45 = r47;
  endfunction
  task automatic task52(input logic signed p53, output logic signed [9:0] p54); 
    p54 = p53 inside {1'sb1};
    p54[4:0] &= 28'd129378_227;
  endtask
  logic [0:0] c71;
  always_comb begin
    c71 = (q67);
    c71 = (1'sh0);
  end
  logic signed [9:0] c72;
  always @(*) begin
    c72 = 10'so1_645;
    if (c71[0:0]) begin
      c72[W +: 1] = unsigned'(N44);
      casez (fn45(.p46(c72)))
        1'b1: begin
          c72 = $countones(c71);
          c72[2 +: 4] = ~&c72;
        end
        1'b1: begin
          c72 = q70;
          c72 = q68 ? q66 : N44;
        end
        1'b0, 1'b1: begin
          logic signed [5:0] t73;
          t73 = 'h49b89_a inside {[32'b11111111111111111111111111111100:32'b11111111111111111111111111111110], 32'b11101000111011010111011101011011};
          c72 = int'(W);
          c72 += q67;
          c72 = 4'b111 >> 1073741823 - q68[3:1] || in41;
        end
        default: begin
          logic signed [0:1] t74;
          int unsigned t75;
          t74 = q68[$unsigned((q66 << ~|q69[c71][$unsigned(1'(^c71 + K * ^N44 ? 4'h0 : c72)) -: 1] != 7'h4a < 39'b11011110010111101101010000000000110100 * in41) % 2'b10) +: 8] >> 3'so1;
          t75 = $unsigned($clog2(40));
          c72 += 1'h1;
        end
      endcase
    end else begin
      for (int i76 = 0; i76 < 3; i76++) begin
        c72++;
        c72 = 7'b 1111111;
      end
    end
  end
  logic [15:0] g77;
  assign g77 = (P43[2]) < q66[3 -: 3];
  always_ff @(posedge clk) begin
    logic signed [0:8] t79;
    logic [0:0] t80;
    t79 = $signed(W);
    t80 = K[3:2] ^~ 64'sb1 % 6'so 40 < ~^0 < q70 ^ (|in42 >= &N44 | q68[8:1]);
    case (fn45(.p46(11'sh7ff)))
      1'd1: begin
        logic signed [8:0] t81;
        shortint unsigned t82;
        t81 = 11'sb110;
        t82 = $unsigned(P43);
        q66[N44 - 1] <= fn45(.p46(q70));
        q66[t80 + 2 -: 3] <= q67[1:0] * 2'd2 >> N44;
        repeat (4) begin
          shortint unsigned t84;
          t84 = -(P43 << 9'd1);
          q66[$unsigned(q69[t80] & 2'b10) + 1 -: 2] <= {1{t81, 7'so0}};
        end
      end
      default: begin
        q66[1:1] <= N44 % 'sd4294967288;
      end
    endcase
  end
  initial begin q67 = 8'b01100000; end
  always @(posedge clk, posedge rst) begin
    if (rst) begin
      q67 <= 8'b00000101;
    end else if ((c72 ? K : q70.f2) ? 32'b1 : $unsigned(c72)) begin
      shortint t85;
      t85 = fn45(.p46(24'd5));
      q67 <= g77[9];
      q67 <= ~|t85 * P43[1:1] - c71 >= K;
      q67[1:0] <= fn45(.p46(g77));
    end
  end
  initial begin for (int k = 0; k <= 1; k++) q69[k] = 3'sb101; end
  always @(posedge clk) begin
    if (in41[$unsigned(c72[4] % 3'b100)]) begin
      logic [5:0] t86;
      logic signed [1:-2] t87;
      t86 = q67;
      t87 = W;
      q70.f2 <= fn45(.p46(in41));
    end
  end
  byte c88;
  logic signed c89;
  logic signed [9:0] c90;
  always @* begin
    c88 = 29'(in41[c71]) && q67[1 -: 2] / 11'so1 | q70.f1[4];
    c89 = fn45(.p46(3'b111));
    c90 = {c71, W} != 'd536870911 * g77[12:6];
    task52(q70 > c71[2 - N44] ? +1'sh1 : K, c90);
    if (q69[$unsigned(1'(^q66[c71 + 1 -: 2]))][1]) begin
      if (!in41 <<< c71 - |W - 1'h0 + !in42) begin
        int t91;
        t91 = c72 != q68 + g77;
        {c89, c90} = in41[c71];
        c90 = c72 >> c72 * c90 - !g77[0];
      end else begin
        c90[0] = 4095 - K[c71];
        {c90, c89} = {2{q68[N44 + 1 +: 3], in42}};
      end
    end else begin
      task52(c72 <-> c89, c90);
    end
    c90 = fn45(.p46(c88));
  end
  assign out92 = c71;
  assign out93 = &c71;
  assign out94 = c88;
  assign out95 = c88;
endmodule
module m1016_top(input logic clk, input logic rst, input logic [0:1] in1, input logic signed [3:0] in2, input logic [8:0] in3, output logic [6:0] out125, output logic [12:0] out126, output logic [11:0] out127);
  m1016_pkg::rec_t q38;
  logic signed [4:3] q37;
  m1016_pkg::word_t q36;
  localparam logic [6:0] P4 = 7'b1000111;
  localparam int N5 = 4;
  function automatic logic signed fn6 (input byte unsigned p7); 
    logic signed r8;
    logic signed [0:7] t9;
    r8 = 39;
    t9 = ~&p7[$unsigned(3'(r8))];
    case ((p7)) inside
      [8'h6:8'he2]: begin
        int unsigned t10;
        int t11;
        t10 = 8'd129 >= p7[5] inside {[1'b0:1'b1]};
        t11 = t10[8 +: 23] + p7[$unsigned(3'(p7))];
        r8--;
        priority casez (t11[31 -: 21] < t11[$unsigned(4'b1111 & (p7[$unsigned(2'(t10[$unsigned(5'b11111 & 2'sd1)])) +: 5])) +: 4] && 9'o0 & t9[$unsigned('0 % 4'b1000)] - t9[0])
          1'b?, 1'b1: begin
            r8 = 'd7 <<< t11[$unsigned(4'('sh7f)) + 4 -: 5] < t10;
            r8 = (r8);
          end
          1'b0: begin
            r8++;
            r8 -= 10'd1016;
            r8 = 0 ? 1 : t9[3];
          end
          1'b1: begin
            r8 = {t10[(r8 | t10 - r8 - -r8) & 5'b10000]};
            r8 = r8 | p7[3:3] & -0;
            r8 = t9[1:1] & t10 & t9[{p7 && +t9[0 & 1'b1 +: 7] | r8 - t11}] <= 'sd0 & t9[$unsigned(3'b111 & p7[5:1])];
          end
          default: begin
            r8 = t11[$unsigned(4'(p7)) +: 6] + p7 ^~ +t9;
            r8 = ^t9[0];
            r8 = &t10;
          end
        endcase
      end
      [8'h7f:8'h80], [8'h7f:8'h80]: begin
        if (9'(r8)) begin
          logic signed [6:0] t12;
          t12 = ~r8 <= t9[5] <= 0 != p7[5:5];
          r8 = t9[5:6] >= r8 ? 24'SB0 : 8'O177;
        end else begin
          logic t13;
          logic t14;
          t13 = |t9;
          t14 = 7'h3b - r8 == &7'd0 * ~&r8;
          r8 = m1016_pkg::state_t'(18'sh27cf);
          r8 = -r8;
          r8 = {1{9'(0)}};
        end
      end
      [8'hfc:8'hfc], [8'hd6:8'hd6]: begin
        for (int i15 = 0; i15 < 2; i15++) begin
          r8 -= t9[1:3];
          r8 = byte'('0);
        end
        priority casez (p7 + p7[$unsigned(p7 % 4'b1000)] - t9 && p7 - p7[$unsigned(2'(11'(65'o3))) +: 5])
          1'b0: begin
            r8 = t9 === t9;
            --r8;
            r8 = 8'shfe ? p7 : 10'sb110;
          end
          1'b0, 1'b1: begin
            logic [0:5] t16;
            t16 = |11'sh3ff ^ r8 | t9;
            r8 = p7[6:3] | t16 -> p7 + !7'o175;
            r8 = $unsigned(r8);
          end
          1'b?, 1'b1: begin
            r8 = (t9);
            r8 = 'H0 >> 4096;
            r8 = r8;
          end
          default: begin
            logic [4:0] t17;
            logic signed [11:3] t18;
            t17 = -p7[$unsigned(p7 % 4'b1000) -: 1] >>> '0 - p7[$unsigned(3'b111 & p7[4 +: 4])] >>> p7 ? t9[5:6] + p7[4] === 507722 | 10'd707 : r8;
            t18 = {p7, p7[7 -: 8]};
            r8 = ~^t18[{p7 <= !t9[5] ^ p7 + 7'sd64 || 5'so37} + 9 -: 7];
          end
        endcase
      end
      default: begin
        case (t9[$unsigned(3'(t9))] <-> r8)
          1'd0: begin
            shortint unsigned t19;
            t19 = ~^p7 + r8 && t9 >= '0;
            r8 = t19 + p7[$unsigned(2'(t9)) +: 3];
          end
          default: begin
            logic signed [5:0] t20;
            t20 = ^(p7 < r8 & t9);
            r8 = r8 < 2'so1 == p7 ? t20 : p7;
            --r8;
            r8 = r8 - 32'o2000000_0000;
          end
        endcase
        for (int i21 = 0; i21 < 4; i21++) begin
          r8 = {65'sb 1000000000000000000000000000000000000000000000000_0000000000000000, t9};
          r8 = p7 inside {[8'b00000000:8'b10000000], [8'b10000000:8'b00000000], 8'b11111101};
          r8 = 22'd1;
        end
      end
    endcase
    r8 = r8 * 11'sh400;
    fn6 = r8;
  endfunction
  function automatic logic signed [2:0] fn22 (input logic signed [0:4] p23, input logic signed [9:0] p24); 
    logic signed [2:0] r25;
    r25 = p24;
    priority case (r25[$unsigned(1'(p23))] - +p23 == p23[2'b11 & 0] * p23 << p23)
      1'd1, 1'd1: begin
        r25 = |p23;
      end
      1'd0: begin
        if (m1016_pkg::word_t'(r25)) begin
          logic [6:-2] t26;
          t26 = -r25[2 -: 3];
          r25[{p23[$unsigned(2'b11 & {1{5'b0, p23[{(p23[$unsigned(2'(r25[$unsigned(t26 & 2'b10)]))])}], t26}})]}] = {2{p23}};
        end
        if (10'sb111111111 * r25 + &p23[0:3]) begin
          logic [4:0] t27;
          logic [10:3] t28;
          t27 = (p23 ? p24[9 -: 10] : p24) || {p23[1:3], 6'd7}[4:4];
          t28 = 3'so0;
          r25[$unsigned(1'(p24))] = 12'sb1011_00100010 | 8'SB111;
          r25[$unsigned(11'sb1110001110 % 2'b11)] = r25;
          r25 = r25[2:1];
        end
        for (int i29 = 0; i29 < 2; i29 += 2) begin
          r25 = {p24[4 +: 5], r25[$unsigned(r25 & 2'b10)], p24}[11:2];
        end
      end
      default: begin
        casez ($unsigned(p24[$unsigned(('1) % 3'b101) +: 6]))
          6'b000?01: begin
            r25 = 9'(p24);
          end
          default: begin
            logic signed [9:0] t30;
            t30 = signed'(fn6(9'd255));
            r25 = t30 / 231141;
            r25 = p23[$unsigned(2'(t30))] ~^ p24 & 8'sh80;
          end
        endcase
        repeat (2) begin
          r25 = +1'sb0;
          r25 ^= p23[1:4];
        end
        priority casez (&p24[$unsigned(3'('sh0))])
          1'b?: begin
            r25 = 'SH1E < r25 ~^ r25[0:0] != ~|r25 != p24[9];
          end
          default: begin
            logic signed [0:0] t32;
            t32 = 4'b1 == 11'o7;
            r25[127 % 2'b11 -: 1] = 33'sh1f_fffffff;
          end
        endcase
      end
    endcase
    r25[2] = 39'sb111111111111111111111111111111111111110 <-> r25[1:0];
    if (r25[0]) begin
      return 17'(p23[2:3]);
    end
    if (~|70'sd 6) begin
      r25 = p24 + r25[2:1];
    end
    priority case (r25[$unsigned(p24 % 2'b10) + 1 -: 2]) inside
      [2'h1:2'h1], 2'b0?: begin
        logic signed [11:3] t33;
        t33 = 4'so3 >>> p23 + 5'sb110_11;
        r25[$unsigned(1'b1 & (p24 & p24 ~^ t33 + t33 >= t33[11:9]))] = {4{r25, t33, 2'sh3}};
        r25[2] = p24[$unsigned(t33 & 2'b11) +: 6];
      end
      [2'h1:2'h3]: begin
        r25 = signed'(p24[$unsigned(3'b111 & r25)]);
      end
      default: begin
        logic signed [9:0] t34;
        byte t35;
        t34 = fn6(r25);
        t35 = fn6(27'sh1 ? p23[$unsigned((&25 <= t34[7:4] + p24[$unsigned(t34[$unsigned(3'(r25[0 +: 3])) + 1 -: 2] & 3'b111)] * r25 | t34[$unsigned(4'SB0 % 3'b110) +: 5] ? r25[0 +: 3] : t34) & 2'b10)] : p24);
        r25 = fn6(t35);
        r25 = t34 >= !p24 + 'sb111111111111111111111111111111;
      end
    endcase
    r25 = 8'(p23[$unsigned(1'b1 % 2'b11) + 2 -: 3]);
    fn22 = r25;
  endfunction
  logic [3:0] w39;
  logic [2:0] w40;
  assign {w39, w40} = $clog2(296) ? {in3[0 +: 6] << q36 <<< ~^in1 != in1[N5 - 3 -: 2]} : {3'(691), N5};
  logic [3:0] out92;
  logic signed [12:0] out93;
  logic signed [3:0] out94;
  logic [12:0] out95;
  m1016_sub0 #(4) u96(clk, rst, ~|w40 || '1 != 2'b10, -N5 > q36[0 +: 5] > |524288 % (6'SO1 | q36 - w39 >> N5) > '1 ? +w39 : w39, out92, out93, out94, out95);
  initial begin q36 = '0; end
  always @(posedge clk, posedge rst) begin
    if (rst) begin
      q36 <= 5'sb10100;
    end else begin
      int t97;
      t97 = !out94;
      unique case (w39[in1])
        1'd0: begin
          priority casez (^'O725455)
            1'b1: begin
              int unsigned t98;
              logic signed [6:3] t99;
              t98 = w39[3 -: 2] < 6'd0 ^~ in1 / 6'o40;
              t99 = ~&'B1001111110010101_0100;
              q36 <= 9'D255 >>> ^out95[1] == q38.f3[in1 -: 1];
              q36[in1] <= +q38;
              q36[0] <= '0;
            end
            1'b?, 1'b1: begin
              q36[4] <= 'b10101000011001101 + q38;
              q36 <= q37[4:4] ? q36[$unsigned(1'b1 & {q36, q38, in2[N5 - 1]}) +: 4] : out95[12:5];
              q36 <= w40 ? w40[N5 - 2 +: 1] : q38;
            end
            1'b0, 1'b1: begin
              q36 <= ^q36;
              q36 <= fn6('1);
            end
            default: begin
              q36 <= $signed(w39[2:0]);
            end
          endcase
          q36 <= out94[1:1] ^ 2'sd3;
          q36[in1] <= 8'd87 + N5;
        end
        1'd1: begin
          shortint unsigned t100;
          logic [5:0] t101;
          t100 = t97 + w39;
          t101 = &$unsigned(70'so0);
          priority if (w39[$unsigned(1'b1 & q37[4:3]) + 1 -: 2] == out95) begin
            q36 <= 7'sb1000000 <<< 1'h1;
          end else begin
            q36[$unsigned(out93 & 2'b11)] <= !out92;
          end
        end
        default: begin
          priority case (&out94) inside
            [1'h0:1'h1], 1'b1: begin
              byte unsigned t102;
              t102 = fn6(out92);
              q36 <= $bits(9'so0);
              q36 <= 3007 * !t97 <<< in1 ^ 1'so1;
            end
            default: begin
              q36 <= {2{t97}};
              q36 <= N5;
            end
          endcase
        end
      endcase
      priority case (in1[$unsigned(out92 & 1'b1)]) inside
        1'b?, [1'h1:1'h1]: begin
          logic [0:0] t103;
          t103 = $signed(3'o 6);
          priority if (out93 * 1'o1) begin
            q36 <= 11'o3772;
            q36 <= 1'sh0 ? q38 : 27'o77_7777774;
            q36 <= &in2 >> t97 >= -N5 >= out94[$unsigned(2'b11 & 11'sd 102_4)] % 131072;
          end else begin
            q36[4:0] <= q36[in1] | out94;
            q36[$unsigned(2'(q38))] <= w39[in1] * in1[1:1] + 536870910 - in2[3:1];
            q36[1:0] <= q38 ==? 12'b0010??110?01;
          end
          casez (~^t103 == in2[N5 - 3 +: 3] == t103 && w40[$unsigned(1'b1 & q37)] << 1'so1)
            1'b0: begin
              q36 <= (33'so37777777777);
              q36[3] <= t97[w40] ? w40 : out93[2:1];
              q36[t103 +: 2] <= fn22(32'sd4294967295, 32'sh0);
            end
            default: begin
              q36 <= out92 & w40[$unsigned(in3 & 1'b1)];
            end
          endcase
          case (64'shfffffffffffffff9 || out93) inside
            1'b?, [1'h1:1'h1]: begin
              q36 <= fn22(P4[3:2], 70'so0);
              q36[3] <= 'o3 != 12'b10000111010;
            end
            1'b0, [1'h0:1'h1]: begin
              q36 <= '1 ^~ t103;
            end
            default: begin
              q36[N5 - 2 +: 1] <= '0 << w40 ^ out93[N5 + 2 +: 5] >= !in1;
            end
          endcase
        end
        default: begin
          repeat (2) begin
            q36[in1] <= {3{w39[$unsigned(w40[2 -: 3] & 1'b1) +: 2], q36}};
            q36[3:0] <= q36[4 -: 5] ? q38 : in3[7:5];
          end
        end
      endcase
    end
  end
  initial begin q37 = 2'sb01; q38 = 18'b000000000000000000; end
  always @(posedge clk, posedge rst) begin
    if (rst) begin
      q37 <= '1;
      q38 <= 18'b111111111111111111;
    end else if ($countones(q38)) begin
      casez (31'sb11_1111111111111111111111111111 | &N5 || q36[4 -: 5] || 10'b1110100 - in3)
        1'b?, 1'b1: begin
          q38 <= '{f0: P4 + !q37 + ^in3[N5 - 2] | out92 << ~|q36, f1: q36[4:4] - 15'h0 <= out94 <= out93 <= '1, f2: ~&{1{q38.f3, N5, in3[8]}}, f3: (out92)};
          q37[4:4] <= out95 < 1'sb0;
          for (int i105 = 4; i105 >= 0; i105--) begin
            logic [3:0] t106;
            t106 = {q36, 32'SB1111111111111111111111111111111};
            q38 <= +P4;
          end
        end
        1'b1: begin
          if (^(q36 & P4 == |'0 || 9'b111111111 ^ 3'sd4)) begin
            logic [1:0] t107;
            t107 = {3{out94, q37[3 +: 2]}};
            q38.f2 <= ^out95;
            {q38, q37} <= out93 ** 1;
          end
        end
        default: begin
          casez ({3{q37}})
            6'b??0111: begin
              logic [0:8] t108;
              t108 = q36;
              q38 <= '{f0: in1[$unsigned(q37 inside {2'sb01} & 1'b1)] << q36 & 2, f1: integer'(28'b111111111111111111111111111), f2: fn22(t108, 4'sd15 ^ ^536870910 - 'o2000000000 + w39), f3: N5 >> t108};
              q37[3 +: 2] <= 10'sd0;
            end
            default: begin
              {q37, q38.f1} <= out93[11:1];
              q37 <= in2 ? 'sd104134114 : out93[11];
            end
          endcase
          priority casez ((q37[3]))
            1'b0, 1'b0: begin
              logic signed [9:0] t109;
              logic signed [12:3] t110;
              t109 = in3 ^ out93 ? 6'b0 : q36[2];
              t110 = 32 + P4[6] + ^in2[2:1] + N5;
              q38 <= P4[in1 + 3 -: 4] * ~^0 | t109;
              q37[3] <= 0 ? 1'sb1 : w40;
            end
            1'b?: begin
              q38 <= '{'0 <<< w40 ~^ out93 % 13'sd8191, {in2, q37 ? in1 : in3[$unsigned(3'(4'o4))]}, out94 & in1, {9'd0, 3'o4 - 63'so0 > 3'd1 == out95 == ~^in3}};
              q37 <= in3 ? w40[0] : w40;
              q38 <= w39[1 -: 2] - out92 === q36;
            end
            default: begin
              q38.f2[2] <= 148;
            end
          endcase
        end
      endcase
      q37[4:3] <= {in1[1], 11'o2511};
      case (out93[9:7] === P4[3] && q38 & ~&w40)
        1'd1, 1'd1: begin
          priority casez ({1'so 1})
            1'b?: begin
              q38.f0 <= unsigned'(8'sb10010010);
              {q37, q38.f2} <= out94 || N5;
            end
            1'b?, 1'b?: begin
              logic [5:0] t111;
              logic signed [0:4] t112;
              t111 = w40[2 -: 2] >= 0;
              t112 = fn22(2'o1 == out94 >>> 10'd0 + 2'sh3 + out93[10:6], q37[4 -: 2] == P4);
              q37 <= 6'SD50 << N5;
              q37 <= q37 ^ in1[1:1] + in2[3:2] + w40 ^ 2'sb10;
              q37 <= 12'so 7777 ** 4'b0011;
            end
            default: begin
              q37[$unsigned(out94 & 1'b1) + 3] <= fn6(29'o1777777777);
            end
          endcase
        end
        1'd0, 1'd1: begin
          for (int i113 = 0; i113 < 8; i113 += 2) begin
            int t114;
            int unsigned t115;
            t114 = !out94;
            t115 = ~|q37[4:4] * ^in1 ? +8'shc0 : ~|w40 | 6'b100000;
            q38.f3[in1] <= fn22(w39, out94[$unsigned(1'b1 & in2) +: 3]);
            q37 <= (t115[i113 +: 15]);
          end
        end
        default: begin
          for (int i116 = 0; i116 < 1; i116++) begin
            q38 <= &q37[4:3];
            q37 <= $clog2(73);
            q38 <= '{0 - w39[N5 - 2], |in1[1] ^ {in3[0]}, {in3[2:0], out94[2:1], out92}, P4 | out93 == out93 != 'o0 > q37};
          end
        end
      endcase
    end
  end
  m1016_pkg::word_t c117;
  logic [5:0] c118 [0:1];
  logic [3:0] c119;
  always @* begin
    logic [8:0] t121;
    c117 = (q38.f1[$unsigned(in2 % 3'b111)]);
    for (int i120 = 0; i120 <= 1; i120 = i120 + 1) begin
      c118[i120] = q38;
    end
    c119 = P4 <= (q36 + q38 - ~&w40 ~^ in2 >= out94);
    t121 = in1 & in2[0 +: 4];
    c117 &= in3;
    repeat (2) begin
      c118[$unsigned(1'b1 & out94[0 +: 4])][$unsigned(out95[4] % 2'b11) + 3 -: 4] = fn22(t121[in1], w40[2:1]);
      priority case ($onehot(in1[1 -: 2])) inside
        [1'h0:1'h1], 1'b1: begin
          c118[0][1:1] = ^7'd127;
          c118 = '{default: 12'sb100000000000 & 0 + out93[15 - N5 -: 4]};
          c119 = ^out94;
        end
        1'b?: begin
          logic signed [9:0] t123;
          t123 = 12'd0 + out95;
          {c119, c117} = fn22(out95[7:5], 30'b11111111111111111111111111111);
          c117[2:2] = (1'H0);
        end
        1'b?: begin
          c118[N5 - 3] += out95;
          c119[N5 - 1 -: 3] = q37;
          c118[$unsigned(q38.f3[3:2] % 2'b10)] |= out94[3:1];
        end
        default: begin
          c119 = q38.f2[5:1];
          c118[{fn6(q38)}][in1 +: 3] = fn22(10'sh0, t121);
          c117[$unsigned(10'd1 & 2'b11)] = unsigned'(c118[$unsigned(1'(w40[$unsigned(1'(w40))]))][3]);
        end
      endcase
    end
    foreach (c118[i124]) begin
      if (t121 inside {[9'b000000001:9'b011111111], 9'b011111111}) continue;
      c117[in1] -= c119;
    end
  end
  assign out125 = out94;
  assign out126 = N5;
  assign out127 = out94;
endmodule
