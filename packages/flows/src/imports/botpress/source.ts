// The files of a bot of Botpress 12.
import { ImportError } from '../import-error.ts'
import {
  isObject,
  type Json,
  objectsIn,
  parseExport,
  textIn,
  textsIn,
  valueIn,
} from '../reading.ts'

export interface BotpressFlow {
  /** `main`, `skills/choice-1`. */
  name: string
  start: string
  raw: Json
  nodes: Json[]
  /** By id of the node. */
  positions: Map<string, { x: number; y: number }>
}

export interface ContentElement {
  /** `builtin_text`. */
  type: string
  form: Json
}

export interface BotpressFiles {
  name: string
  language: string
  languages: string[]
  flows: BotpressFlow[]
  elements: Map<string, ContentElement>
  intents: Json[]
  entities: Json[]
  questions: Json[]
  /** Code by the name of the action. */
  actions: Map<string, string>
  hooks: string[]
}

const toText = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

export const isBotpress = (files: Map<string, Uint8Array>): boolean =>
  [...files.keys()].some((path) => path.endsWith('.flow.json'))

/** The archive may have a folder around the bot. */
function findRoot(files: Map<string, Uint8Array>): string {
  const main = [...files.keys()].find((path) =>
    /(?:^|\/)flows\/.*\.flow\.json$/.test(path),
  )
  if (main === undefined)
    throw new ImportError(
      'emptyBot',
      'The archive has no folder `flows`. Export one bot of Botpress 12',
    )
  return main.slice(0, main.search(/flows\//))
}

export function readBotpress(files: Map<string, Uint8Array>): BotpressFiles {
  const root = findRoot(files)
  const inside = [...files].flatMap(([path, bytes]): [string, Uint8Array][] =>
    path.startsWith(root) ? [[path.slice(root.length), bytes]] : [],
  )
  const parsed = new Map(
    inside.flatMap(([path, bytes]): [string, unknown][] =>
      path.endsWith('.json') ? [[path, parseExport(toText(bytes), 'JSON')]] : [],
    ),
  )
  const inFolder = (folder: string) =>
    [...parsed]
      .filter(([path]) => path.startsWith(`${folder}/`))
      .flatMap(([, value]) => (isObject(value) ? [value] : []))
  const config = parsed.get('bot.config.json')
  const language = textIn(config, 'defaultLanguage') || 'en'
  return {
    name: textIn(config, 'name') || textIn(config, 'id'),
    language,
    languages: textsIn(config, 'languages').filter((one) => one !== language),
    flows: toFlows(parsed),
    elements: toElements(parsed),
    intents: inFolder('intents').filter(
      (one) => !textIn(one, 'name').startsWith('__qna__'),
    ),
    entities: inFolder('entities'),
    questions: inFolder('qna').filter((one) => valueIn(one, 'data', 'enabled') === true),
    actions: new Map(
      inside.flatMap(([path, bytes]): [string, string][] => {
        const [, name] = /^actions\/(.+)\.js$/.exec(path) ?? []
        return name === undefined ? [] : [[name, toText(bytes)]]
      }),
    ),
    hooks: inside.flatMap(([path]) => (/^hooks\/.+\.js$/.test(path) ? [path] : [])),
  }
}

/** `main` comes first. */
function toFlows(parsed: Map<string, unknown>): BotpressFlow[] {
  const flows = [...parsed].flatMap(([path, raw]): BotpressFlow[] => {
    const [, name] = /^flows\/(.+)\.flow\.json$/.exec(path) ?? []
    if (name === undefined || !isObject(raw)) return []
    const positions = objectsIn(parsed.get(`flows/${name}.ui.json`), 'nodes').flatMap(
      (node) => {
        const { x, y } = (valueIn(node, 'position') ?? {}) as { x?: unknown; y?: unknown }
        return typeof x === 'number' && typeof y === 'number'
          ? [[textIn(node, 'id'), { x, y }] as const]
          : []
      },
    )
    return [
      {
        name,
        raw,
        start: textIn(raw, 'startNode'),
        nodes: objectsIn(raw, 'nodes'),
        positions: new Map(positions),
      },
    ]
  })
  return flows.sort((a, b) => Number(b.name === 'main') - Number(a.name === 'main'))
}

function toElements(parsed: Map<string, unknown>): Map<string, ContentElement> {
  const elements = new Map<string, ContentElement>()
  for (const [path, value] of parsed) {
    const [, type] = /^content-elements\/(.+)\.json$/.exec(path) ?? []
    if (type === undefined) continue
    for (const element of objectsIn({ value }, 'value')) {
      const form = valueIn(element, 'formData')
      if (isObject(form)) elements.set(textIn(element, 'id'), { type, form })
    }
  }
  return elements
}

/** Returns the name of the flow in a reference to its file. */
export const toFlowName = (reference: string) => reference.replace(/\.flow\.json.*$/, '')
