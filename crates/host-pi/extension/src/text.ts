// Shows text that others wrote so that it cannot pretend to be something else.

// Control characters, line separators, and what changes direction or is invisible.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\ufe00-\ufe0f\uffa0]/gu;

/** The text with everything escaped that a terminal would obey or not show, at most `longest` characters of it. */
export function printable(text: string, longest = Number.POSITIVE_INFINITY): string {
	const shown = text.replace(UNSAFE, escaped);
	return shown.length <= longest ? shown : `${shown.slice(0, longest - 1)}…`;
}

/** A command for a question: its lines stay lines, and what is left out of a long one is said. */
export function shownCommand(command: string, longest = 4000): string {
	const lines = command.split("\n").map((line) => `  ${line.replaceAll("\t", "    ").replace(UNSAFE, escaped)}`);
	const text = lines.join("\n");
	if (text.length <= longest) return text;
	const half = Math.floor(longest / 2);
	const left = text.length - 2 * half;
	return `${text.slice(0, half)}\n  [… ${left} characters are not shown here …]\n${text.slice(-half)}`;
}

function escaped(character: string): string {
	return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
