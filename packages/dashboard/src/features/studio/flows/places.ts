// Pointers of nodes and cards, and the targets of ways out.
import { toPointer, toSegments } from '../draft/edits.ts'
import { nameLanguage } from '../texts/language-names.ts'
import { toObject } from './bot-document.ts'

export interface Target {
  flow: string
  /** Undefined for the first node of another flow. */
  node: string | undefined
}

export const nodePointer = (flow: string, node: string) => toPointer('flows', flow, 'nodes', node)
export const cardPointer = (flow: string, node: string, card: number) =>
  `${nodePointer(flow, node)}/cards/${card}`

/**
 * `/flows/main/nodes/start/cards/0/message` is `main · start · 1 · message`, `/languages/translations/de` is
 * `German`.
 */
export function describePlace(pointer: string): string {
  const [part, kind, language, ...texts] = toSegments(pointer)
  if (part === 'languages' && kind === 'translations' && language !== undefined)
    return [nameLanguage(language), ...texts].join(' · ')
  const names = toSegments(pointer).filter((name) => !['flows', 'nodes', 'cards'].includes(name))
  return (
    names.map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : name)).join(' · ') || '/'
  )
}

export function toTarget(value: unknown, flow: string): Target | undefined {
  if (typeof value === 'string' && value !== '') return { flow, node: value }
  const { flow: other, node } = toObject(value)
  if (typeof other !== 'string') return undefined
  return { flow: other, node: typeof node === 'string' ? node : undefined }
}
