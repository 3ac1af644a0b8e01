// Ways to handle a code block of a page, for documented-pages.ts.

/** Reasons for not running a block in any test. */
type Reason = 'needs a cluster' | 'needs programs that Debian and npm lack'

export type Handling =
  /** Commands, which may use the file `$BLOCK`. */
  | string
  /** Commands with another text in the file `$BLOCK`. */
  | { run: string; text: (text: string) => string }
  /** Commands that print the block; empty for those of the block before. */
  | { prints: string }
  /** The file that reads the block from the page, and runs it. */
  | { runBy: string }
  /** The file of the repository that checks the same. */
  | { notRun: Reason; by: string }

export interface Page {
  /** Commands before the first block. */
  before?: string
  /** Whether it needs another installation: OTHER_URL, OTHER_TOKEN and OTHER_BOT. */
  other?: true
  /** Texts that a reader replaces. */
  values?: Record<string, string>
  blocks?: Record<string, Handling>
}

export const notRun = (reason: Reason, by: string): Handling => ({ notRun: reason, by })
export const machines: Handling = { runBy: 'scripts/machines/try-machines.js' }
export const services: Handling = { runBy: 'scripts/machines/services.js' }
export const widget: Handling = {
  runBy: 'packages/server/test/app/chat-appearance.test.ts',
}
export const otherPostgres: Handling = {
  runBy: 'packages/server/src/features/operator/embedded-upgrades.test.ts',
}
export const docker: Handling = { runBy: 'scripts/machines/try-docker.js' }
/** Runs the first command of measurements, with fewer and shorter rounds. */
export const shortened: Handling = {
  run: '. "$BLOCK"',
  text: (text) => `${text.split('#')[0]!.trim()} --quick`,
}
/** Runs all commands of measurements in the same way, and a cheap part in place of all parts. */
export const allShortened = (...titles: string[]): Handling => ({
  run: `. "$BLOCK" | tee ../results
${titles.map((title) => `grep '^## ${title}' ../results`).join('\n')}`,
  text: (text) =>
    text
      .trim()
      .split('\n')
      .map((line) => {
        const [, options = ''] = line.split('#')[0]!.trim().split(' -- ')
        const part = /--only|--profile/.test(options) ? '' : '--only contention '
        return `npm run bench -- ${part}${options.replace('--quick', '')} --quick`
      })
      .join('\n'),
})
export const printed: Handling = { prints: '' }

export const bucket = {
  'S3_BUCKET=botstead': 'S3_BUCKET=$BUCKET',
  'S3_ACCESS_KEY_ID=…': 'S3_ACCESS_KEY_ID=$BUCKET_KEY_ID',
  'S3_SECRET_ACCESS_KEY=…': 'S3_SECRET_ACCESS_KEY=$BUCKET_SECRET',
}

/** Runs the block as a module after other commands; `given` declares what it needs beside `client`. */
export const script = (given = '', after = '', before = ''): Handling => ({
  run: `${before}\nnode --input-type=module < "$BLOCK"`,
  text: (text) => {
    const client = /\bconst client\b/.test(text)
      ? ''
      : `import { Client as Official } from '@botpress/client'
const client = new Official({
  apiUrl: process.env.SERVER_URL, token: process.env.TOKEN,
  workspaceId: process.env.SERVER_WORKSPACE, botId: process.env.BOT,
})\n`
    return `${client}${given}\n${text}\n${after}`
  },
})

/** Checks a bot that contains the block; after commands that write its other files, deploys it. */
export const deployed = (
  around: (part: Record<string, unknown>) => object,
  before = '',
): Handling => ({
  run: before ? `${before}\nbotstead deploy "$BLOCK" --name Part` : 'check_document',
  text: (text) => {
    const part = JSON.parse(text.startsWith('"') ? `{${text}}` : text)
    return JSON.stringify({ kind: 'bot', version: 2, ...around(part) })
  },
})

export const nodes = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'standard' }]))
const toMain = (cards: object[], more: { variables?: object; nodes?: object } = {}) => ({
  flows: {
    main: { ...more, nodes: { start: { type: 'start', cards }, ...more.nodes } },
  },
})
export const fields = deployed((part) => ({ ...toMain([]), ...part }))
/** A card with the variables and nodes that it names. */
export const card = (
  variables: object = {},
  names: string[] = [],
  more: object = {},
  before = '',
) =>
  deployed(
    (part) => ({ ...more, ...toMain([part], { variables, nodes: nodes(...names) }) }),
    before,
  )

export const newest = '$(newest_bot)'
export const asConversation =
  'const { BOT: id, BOT: userId, TALK: conversationId } = process.env'

/** Has its mistake at the position that the page prints. */
export const documentWithMistake = `{
  "kind": "bot",
  "version": 2,
  "variables": {
    "user": { "name": { "type": "string" } }
  },
  "flows": {
    "main": {
      "nodes": {
        "start": {
          "type": "start",
          "next": "end",
          "cards": [
            { "type": "send",                    "message": "Hello, {{ user.name.lenght }}" }
          ]
        },
        "end": { "type": "standard" }
      }
    }
  }
}`

/** Does all that the conversation expects. */
export const reminding = {
  kind: 'bot',
  version: 2,
  knowledgeBases: { docs: {} },
  variables: {
    user: { name: { type: 'string' } },
    configuration: { greeting: { type: 'string' } },
  },
  tables: {
    OrdersTable: { schema: { type: 'object', properties: { item: { type: 'string' } } } },
  },
  ...toMain(
    [
      { type: 'send', message: '{{ env.greeting }}!' },
      { type: 'aiTransition', transitions: [{ when: 'Orders', to: 'order' }] },
    ],
    {
      variables: { n: { type: 'number' }, text: { type: 'string' } },
      nodes: {
        order: {
          type: 'standard',
          cards: [
            { type: 'aiText', instructions: 'Greet.', into: 'workflow.text' },
            { type: 'code', code: "user.name = 'Ana'; workflow.n = 1" },
            { type: 'handoff', reason: 'refund' },
          ],
        },
      },
    },
  ),
}
