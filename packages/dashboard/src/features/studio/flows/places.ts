// Pointers of nodes and cards, their names for people, and the targets of ways out.
import { texts } from '../../../texts/texts.ts'
import { toPointer, toSegments } from '../draft/edits.ts'
import { toFieldTitle } from '../forms/schema-fields.ts'
import { nameLanguage } from '../texts/language-names.ts'
import { findFlow, type Json, toCard, toList, toObject } from './bot-document.ts'
import { nameFlow, nameNode, toCardTitle } from './names.ts'

const t = texts.studio

export interface Target {
  flow: string
  /** Undefined for the first node of another flow. */
  node: string | undefined
}

export const nodePointer = (flow: string, node: string) =>
  toPointer('flows', flow, 'nodes', node)
export const cardPointer = (flow: string, node: string, card: number) =>
  `${nodePointer(flow, node)}/cards/${card}`

/**
 * `/flows/main/nodes/start/cards/0/message` is `Main flow · Start · Message 1 · Message`, and
 * `/languages/translations/de` is `Texts · German`.
 */
export const describePlace = (pointer: string, document: Json): string =>
  toNames(toSegments(pointer), document).join(' · ')

function toNames([part = '', ...rest]: string[], document: Json): string[] {
  const [first = '', second, ...others] = rest
  switch (part) {
    case '':
      return [t.ofBot]
    case 'flows':
      return [nameFlow(first), ...toNamesInFlow(rest.slice(1), findFlow(document, first))]
    case 'languages':
      return [
        t.partNames.texts,
        ...(second === undefined ? [] : [nameLanguage(second)]),
        ...others,
      ]
    case 'variables':
      return [t.partNames.variables, ...toScopeNames(rest)]
    case 'triggers':
    case 'hooks':
      return [
        t.partNames[part],
        ...rest.slice(0, 1).map(toNumber),
        ...rest.slice(1).map(toFieldName),
      ]
    case 'settings':
      return [t.partNames.settings, ...rest.map(toFieldName)]
    default:
      return [toFieldTitle(part), ...rest.map(toNumber)]
  }
}

const toScopeNames = ([scope, ...names]: string[]): string[] => {
  if (scope === undefined) return []
  const known = Object.hasOwn(t.scopes, scope)
    ? t.scopes[scope as keyof typeof t.scopes]
    : scope
  return [known, ...names]
}

function toNamesInFlow([kind, name, ...rest]: string[], flow: Json): string[] {
  if (kind === undefined) return []
  if (kind !== 'nodes')
    return [toFieldName(kind), ...(name === undefined ? [] : [name, ...rest])]
  if (name === undefined) return []
  const [part, index, ...fields] = rest
  const step = nameNode(name)
  if (part !== 'cards' || index === undefined) return [step, ...rest.map(toFieldName)]
  const { cards } = toObject(toObject(flow.nodes)[name])
  const { type } = toCard(toList(cards)[Number(index)])
  return [
    step,
    t.numbered(toCardTitle(type) || t.names.card, Number(index) + 1),
    ...fields.map(toFieldName),
  ]
}

/** The first element of a list is 0 in a pointer. */
const toNumber = (name: string) => (/^\d+$/.test(name) ? String(Number(name) + 1) : name)
const toFieldName = (name: string) =>
  /^\d+$/.test(name) ? toNumber(name) : toFieldTitle(name)

export function toTarget(value: unknown, flow: string): Target | undefined {
  if (typeof value === 'string' && value !== '') return { flow, node: value }
  const { flow: other, node } = toObject(value)
  if (typeof other !== 'string') return undefined
  return { flow: other, node: typeof node === 'string' ? node : undefined }
}
