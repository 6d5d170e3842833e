// cam: content-addressable memory
// ---------------------------------------------------------------------------
// What it is
//   A small table, searched by tag in all entries at once.  No asserts, see
//   proofs/.
//
// Parameters
//   ENTRIES   entries (>= 4)
//   TAG_W     bits of a tag (>= 2)
//   DATA_W    bits of data
//   IDX_W     derived, do not set
//   BUG       0 = correct; other values seed a defect, see below
//
// Ports
//   clk                     clock; there is no reset
//   we, waddr               entry waddr is written at this clk edge
//   wtag, wdata, wvalid     its new content; wvalid = 0 empties it
//   tag                     what to look for; the answer is combinational
//   hit                     some valid entry has this tag
//   hit_idx                 the or of the indices of all that do: the index, if
//                           there is one
//   data                    the or of their data; 0 if there is none
//
// How it works
//   A comparator an entry, gives found[i]; then an and-or tree for index and
//   data.  A write to an entry beyond the last is ignored.  The entries hold
//   anything before they are first written.
//
// Seeded bugs
//   1  the comparator of entry 3 ignores the top bit of the tag
//   2  the last entry is found even if it is not valid
//   3  entry ENTRIES/2 gives the data of its neighbour, one up
// ---------------------------------------------------------------------------
module cam #(
    parameter int ENTRIES = 16,
    parameter int TAG_W   = 8,
    parameter int DATA_W  = 8,
    parameter int BUG     = 0,
    // derived, do not set
    parameter int IDX_W   = $clog2(ENTRIES)
) (
    input  logic              clk,

    input  logic              we,
    input  logic [IDX_W-1:0]  waddr,
    input  logic [TAG_W-1:0]  wtag,
    input  logic [DATA_W-1:0] wdata,
    input  logic              wvalid,

    input  logic [TAG_W-1:0]  tag,
    output logic              hit,
    output logic [IDX_W-1:0]  hit_idx,
    output logic [DATA_W-1:0] data
);

    logic [TAG_W-1:0]   tags  [0:ENTRIES-1];
    logic [DATA_W-1:0]  datas [0:ENTRIES-1];
    logic [ENTRIES-1:0] valid;

    logic [ENTRIES-1:0] found;                   // the entries that match

    generate
        for (genvar i = 0; i < ENTRIES; i++) begin : g_entry
            always_ff @(posedge clk) begin
                if (we && waddr == IDX_W'(i)) begin
                    tags[i]  <= wtag;
                    datas[i] <= wdata;
                    valid[i] <= wvalid;
                end
            end

            if (BUG == 1 && i == 3) begin : g_short
                assign found[i] = valid[i] & (tags[i][TAG_W-2:0] == tag[TAG_W-2:0]);
            end else if (BUG == 2 && i == ENTRIES - 1) begin : g_always
                assign found[i] = (tags[i] == tag);
                wire unused = valid[i];
            end else begin : g_match
                assign found[i] = valid[i] & (tags[i] == tag);
            end
        end
    endgenerate

    assign hit = |found;

    always_comb begin
        hit_idx = '0;
        data    = '0;
        for (int i = 0; i < ENTRIES; i++) begin
            if (found[i]) begin
                hit_idx = hit_idx | IDX_W'(i);
                data    = data | datas[(BUG == 3 && i == ENTRIES / 2) ? i + 1 : i];
            end
        end
    end

endmodule
