// What an editor, and the check at a deployment, know of the globals in an author's code files: one file of types beside the document.
import { readFileSync } from 'node:fs'
import type { FlowDocument, Variable } from './document.ts'
import { tableGlobal } from './table-global.ts'

/** The name of the file, which is made anew whenever the bot is deployed. */
export const declarationsFile = 'botstead-env.d.ts'

/** Whole in itself: nothing has to be installed for it. */
export function declarationsOf(document: FlowDocument): string {
  const { variables = {}, flows } = document
  const workflow = Object.assign(
    {},
    ...Object.values(flows).flatMap(({ variables, inputs, outputs }) => [outputs, variables, inputs]),
  ) as Declared
  return `// Made by botstead from bot.json: what code in files beside it can use. Do not change it.
${eventTypes()}
type Json = any
interface Rows {
  createRecord(row: object): Promise<Json>
  createRecords(rows: object[]): Promise<Json[]>
  findRecords(find?: { filter?: object; search?: string; limit?: number; offset?: number; orderBy?: string; orderDirection?: 'asc' | 'desc' }): Promise<Json[]>
  getRecord(id: number): Promise<Json>
  updateRecord(row: { id: number; [column: string]: Json }): Promise<Json>
  updateRecords(rows: { id: number; [column: string]: Json }[]): Promise<Json[]>
  upsertRecords(rows: object[], keyColumn?: string): Promise<Json[]>
  deleteRecord(id: number): Promise<number>
  deleteRecords(which: number[] | object): Promise<number>
}

declare global {
  /** What has happened. */
  const event: BotEvent
  /** In hooks before something goes out: that. */
  const outgoingEvent: OutgoingEvent
  /** In actions: what they were given. */
  const input: Json
  /** Of the flow that runs. */
  const workflow: ${shapeOf(workflow)}
  const conversation: ${shapeOf(variables.conversation)}
  const user: ${shapeOf(variables.user)}
  const bot: ${shapeOf(variables.bot)}
  const env: Readonly<${shapeOf(variables.configuration)}>
  /** Free, until the conversation is over. */
  const session: Record<string, any>
  /** Free, until the turn is over. */
  const turn: Record<string, any>
  const actions: ${actionsOf(document)}
${Object.keys(document.tables ?? {})
  .map((name) => `  const ${tableGlobal(name)}: Rows\n`)
  .join('')}  const client: import('@botpress/client').Client
  const axios: typeof import('axios').default
  const _: typeof import('lodash')
  const luxon: typeof import('luxon')
  const console: Record<'log' | 'info' | 'debug' | 'warn' | 'error', (...values: unknown[]) => void>
  function setTimeout(what: (...values: any[]) => void, milliseconds?: number, ...values: any[]): number
  function clearTimeout(id: number): void
  const URL: any
  const URLSearchParams: any
  const TextEncoder: any
  const TextDecoder: any
  const crypto: any
  function atob(text: string): string
  function btoa(text: string): string
}
export {}
`
}

type Declared = Record<string, Variable> | undefined

const typeScript: Record<Variable['type'], string> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  object: 'Record<string, any>',
  array: 'any[]',
  date: 'string',
  any: 'any',
}

/** Where nothing has been set yet, there is the default, or null. */
const shapeOf = (declared: Declared) =>
  `{ ${Object.entries(declared ?? {})
    .map(
      ([name, { type, default: value }]) =>
        `${name}: ${typeScript[type]}${value === undefined || value === null ? ' | null' : ''}`,
    )
    .join('; ')} }`

const actionsOf = ({ actions = {} }: FlowDocument) => {
  const own = Object.entries(actions).filter(([, { code }]) => code !== undefined)
  return `Record<string, any>${own.length ? ` & { ${own.map(([name]) => `${JSON.stringify(name)}(input?: Json): Promise<Json>`).join('; ')} }` : ''}`
}

/** As the compiler has written them: event.ts is where they are described. */
const eventTypes = () =>
  readFileSync(new URL('../dist/event.d.ts', import.meta.url), 'utf8')
    .replace(/^\/\/# sourceMappingURL.*$/m, '')
    .replace(/^import .*$/gm, '')
