// The copilot with a real model: `node bench/dist/copilot/copilot.js [--only <name>]`. Gives it 20
// requests, each for an empty bot, and reports how many of its bots pass their own tests and a
// conversation that it has not seen. Uses the model that the environment configures
// (BOTSTEAD_MODELS, BOTSTEAD_MODEL_URL); without one, it says so.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type RunningServer, startServer } from '../botstead-server.ts'
import { median, note, printTable, progress } from '../report.ts'
import { type Brief, briefs } from './copilot-briefs.ts'

const { values: options } = parseArgs({ options: { only: { type: 'string' } } })

interface Run {
  number: number
  state: string
  failure: string | null
  passedTests: number | null
  rounds: number
  tokens: number
  cost: number
}

interface Outcome {
  brief: Brief
  run: Run
  accepts: boolean
}

/** Calls the API as the owner of the workspace. */
function openApi({ credentials: { url, token, workspaceId } }: RunningServer) {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'content-type': 'application/json',
  }
  // biome-ignore lint/suspicious/noExplicitAny: responses of several operations
  return async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(new URL(path, url), {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.message}`)
    return answer
  }
}

type Api = ReturnType<typeof openApi>

async function measure(api: Api, brief: Brief): Promise<Outcome> {
  const { bot } = await api('POST', '/v1/admin/bots', { name: brief.name })
  const path = `/v1/platform/bots/${bot.id}`
  const started = await api('POST', `${path}/copilot-runs`, { request: brief.request })
  for (;;) {
    const { run, text } = await api('GET', `${path}/copilot-runs/${started.run.number}`)
    if (run.state === 'running') {
      await pause(500)
      continue
    }
    const accepts =
      run.state === 'done' && text !== null && (await accept(api, path, brief, text))
    return { brief, run, accepts }
  }
}

async function accept(
  api: Api,
  path: string,
  { steps }: Brief,
  text: string,
): Promise<boolean> {
  const document = { ...JSON.parse(text), tests: { Accepts: { steps } } }
  const tested = await api('POST', `${path}/draft/test`, {
    text: JSON.stringify(document),
  }).catch(() => ({ passed: 0 }))
  return tested.passed === 1
}

function report(outcomes: Outcome[]) {
  const own = outcomes.filter(
    ({ run }) => run.state === 'done' && run.passedTests !== null,
  )
  const accepted = outcomes.filter(({ accepts }) => accepts)
  printTable(
    'Copilot',
    ['request', 'own tests', 'acceptance', 'rounds', 'tokens', 'dollars', 'failure'],
    outcomes.map(({ brief, run, accepts }) => [
      brief.name,
      run.passedTests === null ? '-' : String(run.passedTests),
      accepts ? 'passes' : 'fails',
      String(run.rounds),
      String(run.tokens),
      run.cost.toFixed(4),
      run.failure?.slice(0, 80) ?? '',
    ]),
  )
  const count = outcomes.length
  note(
    `${own.length} of ${count} pass their own tests, ${accepted.length} the unseen conversation.`,
  )
  note(`Rounds: ${median(outcomes.map(({ run }) => run.rounds))} (median).`)
}

const folder = await mkdtemp(join(tmpdir(), 'botstead-copilot-'))
const server = await startServer(folder)
try {
  const api = openApi(server)
  const { botId } = server.credentials
  const { allowance } = await api('GET', `/v1/platform/bots/${botId}/copilot-runs`)
  if (!allowance.hasModel)
    note(
      'No language model is configured: set BOTSTEAD_MODELS to measure the copilot. See docs/models.md.',
    )
  else {
    const chosen = briefs.filter(
      ({ name }) => options.only === undefined || name === options.only,
    )
    const outcomes: Outcome[] = []
    for (const brief of chosen) {
      progress(`copilot: ${brief.name}`)
      outcomes.push(await measure(api, brief))
    }
    report(outcomes)
  }
} finally {
  await server.close()
  await rm(folder, { recursive: true, force: true })
}
