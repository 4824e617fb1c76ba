import assert from "node:assert/strict";
import { test } from "node:test";
import { printable, shownCommand } from "../src/text.ts";

const cases: [string, string, string][] = [
	["plain text", "git push", "git push"],
	["letters of any script", "echo é 漢字 🦀", "echo é 漢字 🦀"],
	["an escape sequence", "a\u001b[2Kb", "a\\u{1b}[2Kb"],
	["a change of direction", "a\u202eb", "a\\u{202e}b"],
	["a character without width", "a\u200bb", "a\\u{200b}b"],
	["a byte order mark", "\ufeffa", "\\u{feff}a"],
	["a tag", "a\u{e0041}", "a\\u{e0041}"],
	["a lone surrogate", "a\ud800", "a\\u{d800}"],
	["a line", "a\nb", "a\\u{a}b"],
	["a filler that looks like a blank", "a\u3164b", "a\\u{3164}b"],
];
for (const [name, text, shown] of cases) {
	test(`${name} is shown for what it is`, () => assert.equal(printable(text), shown));
}

test("a long text is cut", () => assert.equal(printable("abcdef", 4), "abc…"));

test("the lines of a command stay lines, and nothing else does", () => {
	assert.equal(shownCommand("a\n\tb\r\u001b"), "  a\n      b\\u{d}\\u{1b}");
});

test("what is left out of a long command is said", () => {
	const shown = shownCommand(`${"a".repeat(5000)};rm -rf x`);
	assert.match(shown, /characters are not shown here/);
	assert.ok(shown.endsWith(";rm -rf x"));
});
