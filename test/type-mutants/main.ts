/**
 * `npm run test:type-mutants [words]`: plants every fault, or those whose file or loss has the words, one at a time, and
 * fails for each that the type tests do not see, and for each that they see although it says why they cannot.
 */
import { faults } from "./faults.js";
import { Judge } from "./judge.js";

const words = process.argv.slice(2);
const chosen = faults.filter(({ file, breaks }) =>
  words.every((word) => file.includes(word) || breaks.includes(word)),
);
const count = { red: 0, unseen: 0, wrong: 0 };
const say = (line: string) => process.stdout.write(`${line}\n`);

const judge = new Judge();
const already = judge.untouched();
if (already !== undefined) throw new Error(`the type tests fail without any fault: ${already}`);
for (const fault of chosen) {
  const { seen, broken } = judge.judge(fault);
  const what = `${fault.file}: ${fault.breaks}`;
  if (broken !== undefined) say(`NO FAULT  ${what}\n          ${broken}`);
  else if (seen === undefined) say(`${fault.unseen === undefined ? "NOT SEEN" : "unseen  "}  ${what}`);
  else say(`${fault.unseen === undefined ? "red     " : "SEEN NOW"}  ${what}\n          ${seen}`);
  if (broken !== undefined || (seen === undefined) !== (fault.unseen !== undefined)) count.wrong++;
  else if (seen === undefined) count.unseen++;
  else count.red++;
}
say(`${chosen.length} faults: ${count.red} red, ${count.unseen} unseen with a reason, ${count.wrong} wrong`);
process.exitCode = count.wrong === 0 ? 0 : 1;
