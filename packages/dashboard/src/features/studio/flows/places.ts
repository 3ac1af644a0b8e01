// Pointers of nodes and cards, and the targets of ways out.
import { toPointer } from '../draft/edits.ts'
import { toObject } from './bot-document.ts'

export interface Target {
  flow: string
  /** Undefined for the first node of another flow. */
  node: string | undefined
}

export const nodePointer = (flow: string, node: string) => toPointer('flows', flow, 'nodes', node)
export const cardPointer = (flow: string, node: string, card: number) =>
  `${nodePointer(flow, node)}/cards/${card}`

export function toTarget(value: unknown, flow: string): Target | undefined {
  if (typeof value === 'string' && value !== '') return { flow, node: value }
  const { flow: other, node } = toObject(value)
  if (typeof other !== 'string') return undefined
  return { flow: other, node: typeof node === 'string' ? node : undefined }
}
