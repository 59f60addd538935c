import { COLUMNS, csvText, cutoffCells, cutoffRows, sortedRows, tsvText } from "/static/cutoff_rows.js";
import { close, equal, test } from "/tests/check.js";

const SCORE = {
  thresholds: [NaN, 4, 3, 2, 1, 0], tp: [0, 1, 2, 2, 3, 3], fp: [0, 0, 1, 2, 3, 4], nPos: 3, nNeg: 4, direction: "higher",
};
const rows = () => cutoffRows(SCORE, { prevalence: 0.2 }, 1.96);
const places = (found) => found.map((row) => row.at);

test("every vertex is a row with counts, rates and intervals", () => {
  const found = rows();
  equal(found.length, 6);
  equal([found[2].values.tp, found[2].values.fp, found[2].values.fn, found[2].values.tn], [2, 1, 1, 3]);
  close(found[2].values.tpr, 2 / 3);
  close(found[2].values.ppv_there, (0.2 * 2) / 3 / ((0.2 * 2) / 3 + 0.8 / 4));
  equal(found[2].intervals.tpr[0] < 2 / 3 && found[2].intervals.tpr[1] > 2 / 3, true);
});

test("rows sort both ways, equals keep their order and undefined values stand last", () => {
  equal(places(sortedRows(rows(), "tpr", true)), [4, 5, 2, 3, 1, 0]);
  equal(places(sortedRows(rows(), "tpr", false)), [0, 1, 2, 3, 4, 5]);
  equal(places(sortedRows(rows(), "threshold", false)), [5, 4, 3, 2, 1, 0]);
  equal(places(sortedRows(rows(), "threshold", true)), [1, 2, 3, 4, 5, 0]);
});

test("cells have every digit, a column for each end, and nothing where nothing is", () => {
  const [heads, first, second] = cutoffCells(rows(), "95%", true);
  equal(heads.length, COLUMNS.length + 22);
  equal(heads.slice(5, 8), ["sensitivity", "sensitivity 95% low", "sensitivity 95% high"]);
  equal(first.slice(0, 6), ["", "0", "0", "3", "4", "0"]);
  equal(second[heads.indexOf("LR+")], "inf");
  equal(cutoffCells(rows(), "95%", false)[0].length, COLUMNS.length);
  equal(second[heads.indexOf("sensitivity")], String(1 / 3));
});

test("CSV quotes what needs it and keeps points, the clipboard follows the reader", () => {
  const cells = [["a,b", 'say "x"'], ["0.5", "-1.25e-7"]];
  equal(csvText(cells), '"a,b","say ""x"""\n0.5,-1.25e-7\n');
  equal(tsvText(cells, ","), 'a,b\tsay "x"\n0,5\t-1,25e-7\n');
  equal(tsvText(cells, "."), 'a,b\tsay "x"\n0.5\t-1.25e-7\n');
  const formulas = [["=1+1", "@x", "-"], ["+1", "-inf", "-a"]];
  equal(csvText(formulas), "'=1+1,'@x,-\n+1,-inf,'-a\n");
  equal(tsvText(formulas, ","), "'=1+1\t'@x\t-\n+1\t-inf\t'-a\n");
});
