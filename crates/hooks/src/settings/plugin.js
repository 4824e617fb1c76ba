// Made by `innercmd hook install opencode`; `innercmd hook uninstall opencode` removes it.
// __COMMAND__
import { spawn } from "node:child_process"

const [PROGRAM, ...ARGUMENTS] = JSON.parse(__WORDS__)
// Far beyond the hook's own limit; without one a hook that hangs would hang the session.
const LIMIT_MS = 60000

function ask(question) {
  return new Promise((resolve, reject) => {
    const hook = spawn(PROGRAM, ARGUMENTS, { stdio: ["pipe", "pipe", "inherit"] })
    const timer = setTimeout(() => {
      hook.kill("SIGKILL")
      reject(new Error("it did not answer in time"))
    }, LIMIT_MS)
    let answer = ""
    hook.stdout.setEncoding("utf8")
    hook.stdout.on("data", (text) => (answer += text))
    hook.stdin.on("error", () => {})
    hook.on("error", reject)
    hook.on("close", (code) => {
      clearTimeout(timer)
      if (code === 0) resolve(answer)
      else reject(new Error(`it ended with ${code}`))
    })
    hook.stdin.end(question)
  })
}

export const Innercmd = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    if (input.tool !== "bash") return
    let answer
    try {
      answer = JSON.parse(await ask(JSON.stringify({ ...input, args: output.args, directory })))
    } catch (error) {
      throw new Error(`[innercmd] The command was not run: the hook failed: ${error?.message ?? error}`)
    }
    // Whatever else it says, only this lets the command pass.
    if (answer?.decision === "pass") return
    throw new Error(String(answer?.reason ?? "[innercmd] The command was not run"))
  },
})
