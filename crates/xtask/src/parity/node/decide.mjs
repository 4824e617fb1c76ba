// Asks the decision code of pi-permission-system: JSON lines in, JSON lines out, in order.
//   in:  {"command", "permission", "cwd", "explain"?, "samples"?}
//   out: {"decision": "allow" | "ask" | "deny", "parts"?: […], "micros"?} or {"error"}
// `parts` is everything that it matches against rules, with what they say; `micros` the median time of a decision.
import "./load.mjs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const source = pathToFileURL(`${process.argv[2]}/src/`).href;
const load = (name) => import(`${source}${name}.ts`);
const { PermissionManager } = await load("permission-manager");
const { PermissionResolver } = await load("permission-resolver");
const { PathNormalizer } = await load("path-normalizer");
const { posixPathFlavor } = await load("path/path-flavor");
const { ToolCallGatePipeline } = await load("handlers/gates/tool-call-gate-pipeline");
const { BashProgram } = await load("access-intent/bash/program");
const { normalizeFlatPermissionValue } = await load("config-loader");

const order = ["allow", "ask", "deny"];
const stricter = (one, other) => (order.indexOf(other) > order.indexOf(one) ? other : one);

const known = new Map();
/** The manager and the resolver of a permission map. */
function deciders(permission) {
  const key = JSON.stringify(permission);
  if (!known.has(key)) {
    const nothing = () => ({});
    const policyLoader = {
      loadGlobalConfig: () => ({ permission: normalizeFlatPermissionValue(permission) ?? {} }),
      loadProjectConfig: nothing,
      loadAgentConfig: nothing,
      loadProjectAgentConfig: nothing,
      getConfiguredMcpServerNames: () => [],
      getCacheStamp: () => "",
      getConfigIssues: () => [],
      getResolvedPolicyPaths: nothing,
    };
    const manager = new PermissionManager({ policyLoader, flavor: posixPathFlavor });
    known.set(key, { manager, resolver: new PermissionResolver(manager, { getRuleset: () => [] }) });
  }
  return known.get(key);
}

/** The strictest that any of the gates says; each gate is let through to the next. */
async function decide({ command, permission, cwd }) {
  const { manager, resolver } = deciders(permission);
  const normalizer = new PathNormalizer(posixPathFlavor, cwd);
  const pipeline = new ToolCallGatePipeline(resolver, {
    getActiveSkillEntries: () => [],
    getInfrastructureReadDirs: () => [],
    getToolPreviewLimits: () => ({ toolInputPreviewMaxLength: 200, toolTextSummaryMaxLength: 80 }),
    getPathNormalizer: () => normalizer,
    getShellToolAliases: () => undefined,
    getPromotablePathTokenMatcher: (agent) => manager.getPromotablePathTokenMatcher(agent),
  });
  let decision = "allow";
  const runner = {
    async run(gate) {
      if (gate && gate.action !== "allow") decision = stricter(decision, gate.preCheck.state);
      return { action: "allow" };
    },
  };
  const call = { toolName: "bash", agentName: null, input: { command }, toolCallId: "call", cwd };
  await pipeline.evaluate(call, runner);
  return decision;
}

/** Everything that is matched against rules. */
async function parts({ command, permission, cwd }) {
  const { manager, resolver } = deciders(permission);
  const normalizer = new PathNormalizer(posixPathFlavor, cwd);
  const program = await BashProgram.parse(command.trim(), normalizer, manager.getPromotablePathTokenMatcher());
  const part = (surface, text, check, wrapper) => ({
    surface,
    text,
    state: wrapper && check.state === "allow" ? "ask" : check.state,
    pattern: check.matchedPattern ?? null,
    wrapper: Boolean(wrapper),
  });
  const commands = program.commands().map(({ text, wrapperKind }) => {
    const check = resolver.resolve({ kind: "tool", surface: "bash", input: { command: text } });
    return part("bash", text, check, wrapperKind);
  });
  const path = (surface, path) => resolver.resolve({ kind: "access-path", surface, path });
  const tokens = program.pathRuleCandidates().map(({ token, path: access }) => part("path", token, path("path", access)));
  const external = program.externalPaths().map((access) => {
    return part("external_directory", access.value(), path("external_directory", access));
  });
  // A token that no rule of the surface matches is not held back.
  return [...commands, ...tokens.filter((token) => token.pattern !== null), ...external];
}

/** The median time of a decision, in microseconds, once the code is compiled. */
async function micros(question) {
  for (let call = 0; call < 500; call++) await decide(question);
  const samples = [];
  for (let sample = 0; sample < question.samples; sample++) {
    const start = process.hrtime.bigint();
    for (let call = 0; call < 20; call++) await decide(question);
    samples.push(Number(process.hrtime.bigint() - start) / 20_000);
  }
  return samples.sort((one, other) => one - other)[Math.floor(samples.length / 2)];
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let answer;
  try {
    const question = JSON.parse(line);
    answer = { decision: await decide(question) };
    if (question.explain) answer.parts = await parts(question);
    if (question.samples) answer.micros = await micros(question);
  } catch (error) {
    answer = { error: String(error?.stack ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
