// Stands in for the sidecar, and behaves badly in the way its first argument names. The second is the real sidecar, the third a file to
// make when a question has come.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

const [how, real, marker] = process.argv.slice(2);
const questions = ["link/authorize", "gate/decide", "gate/settle"];
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** What it does with a question, where it does not hand it on. */
const behaviours = {
	"some text": () => process.stdout.write("all is well\n"),
	"an array": () => process.stdout.write('[{"verdict":"allow"}]\n'),
	null: ({ id }) => send({ id, result: null }),
	"a bare allow": ({ id }) => send({ id, result: { verdict: "allow", decision: "allow" } }),
	"a deny without a reason": ({ id }) =>
		send({ id, result: { verdict: "deny", decision: "deny", code: "a:b", requestId: "x", ticket: "x", units: [], findings: [] } }),
	"an allow for another request": ({ id }) =>
		send({ id, result: { verdict: "allow", code: "authorizer:inner-allowed", requestId: "perm-other", findings: [] } }),
	"an allow that contradicts itself": ({ id, params }) =>
		send({ id, result: { verdict: "allow", code: "authorizer:inner-ask", requestId: requestId(params), findings: [] } }),
	"an unknown verdict": ({ id }) => send({ id, result: { verdict: "maybe", decision: "maybe", code: "a:b" } }),
	"an error": ({ id }) => send({ id, error: { code: -32603, message: "the engine failed" } }),
	"an answer to nothing": ({ id }) => send({ id: id + 100, result: { verdict: "allow", code: "authorizer:inner-allowed" } }),
	"a line without an end": () => process.stdout.write("x".repeat(17 * 1024 * 1024)),
	"an end": () => process.exit(0),
	silence: () => {},
};

function requestId(params) {
	return JSON.parse(params.details).requestId;
}

if (how === "another protocol") {
	lines(process.stdin, (line) => send({ id: JSON.parse(line).id, result: { protocol: 2, engine: { version: "9" } } }));
} else if (how !== "an end at once") {
	const sidecar = spawn(real, [], { stdio: ["pipe", "pipe", "inherit"] });
	sidecar.stdout.pipe(process.stdout);
	sidecar.on("exit", () => process.exit(0));
	process.stdin.on("end", () => sidecar.stdin.end());
	process.on("exit", () => sidecar.kill("SIGKILL"));
	lines(process.stdin, (line) => {
		const message = JSON.parse(line);
		if (!questions.includes(message.method)) return sidecar.stdin.write(`${line}\n`);
		writeFileSync(marker, String(process.pid));
		return behaviours[how](message);
	});
}

function lines(stream, take) {
	let rest = "";
	stream.setEncoding("utf8");
	stream.on("data", (chunk) => {
		const parts = (rest + chunk).split("\n");
		rest = parts.pop();
		parts.forEach(take);
	});
}
