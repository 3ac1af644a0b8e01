// Makes a document valid: a card or a value that the check rejects becomes a comment, or is removed. The
// report names each.
import { checkDocument } from '../check/check.ts'
import type { Card } from '../document/card-shapes.ts'
import type { FlowDocument, FlowNode } from '../document/document.ts'
import { pointerSegments } from '../document/pointer.ts'
import { DocumentError, type Problem } from '../document/problems.ts'
import { compileScripts } from '../document/scripts.ts'
import { ImportError } from './import-error.ts'
import { toNoteCard } from './note-card.ts'
import { shorten } from './report.ts'

interface LostPart {
  pointer: string
  place: string
  message: string
}

/** Each round may show problems that others hid. */
const maxRounds = 20

/** Changes the document. Returns the parts that it took away; throws ImportError if that does not help. */
export function repairDocument(document: FlowDocument): LostPart[] {
  const lost: LostPart[] = []
  for (let round = 0; round < maxRounds; round++) {
    const problems = findProblems(document)
    if (problems.length === 0) return lost
    const done = new Set<string>()
    for (const problem of problems) {
      const part = removePart(document, problem, done)
      if (part) lost.push(part)
    }
    if (done.size === 0) throw unmendable(problems[0]!)
  }
  throw unmendable({ pointer: '', message: 'still has problems' })
}

function findProblems(document: FlowDocument): Problem[] {
  try {
    checkDocument(document)
    return compileScripts(document).problems
  } catch (error) {
    if (error instanceof DocumentError) return error.problems
    throw error
  }
}

const unmendable = ({ pointer, message }: Problem) =>
  new ImportError(
    'invalidFile',
    `The bot cannot be converted: ${pointer || 'the document'} ${shorten(message)}. Please report this file`,
  )

/** Returns null for a part that another problem has removed already. Adds the part to `done`. */
function removePart(
  document: FlowDocument,
  problem: Problem,
  done: Set<string>,
): LostPart | null {
  const [top, flow = '', nodes, node = '', kind, index = ''] = [
    ...pointerSegments(problem.pointer),
  ]
  const message = `${shorten(problem.message)}.`
  if (top === 'flows' && nodes === 'nodes' && Object.hasOwn(document.flows, flow)) {
    const all = document.flows[flow]!.nodes
    const found = Object.hasOwn(all, node) ? all[node]! : null
    if (!found) return null
    const at =
      kind === 'cards' && index !== '' ? `${flow}/${node}/${index}` : `${flow}/${node}`
    if (done.has(at)) return null
    done.add(at)
    if (kind === 'cards' && found.cards?.[Number(index)])
      replaceCard(found.cards, Number(index))
    else if (kind === 'next') delete found.next
    else all[node] = toPlainNode(found)
    return { pointer: problem.pointer, place: `${flow}/${node}`, message }
  }
  if (top === undefined || top === 'flows') return null
  const path = [...pointerSegments(problem.pointer)].slice(0, 4)
  const at = path.join('/')
  if (done.has(at) || !removeValue(document, path)) return null
  done.add(at)
  return { pointer: problem.pointer, place: top, message }
}

function replaceCard(cards: Card[], index: number): void {
  const { type, ...rest } = cards[index]!
  const isNote = type === 'code'
  // A comment that is rejected too is too long.
  const source = JSON.stringify(isNote ? { code: rest } : rest, null, 2).slice(0, 20_000)
  cards[index] = toNoteCard(`Not imported: ${type}`, [source])
}

function toPlainNode({ type, cards = [], position, ...rest }: FlowNode): FlowNode {
  const source = JSON.stringify(rest, null, 2).slice(0, 20_000)
  return {
    type: type === 'agent' ? 'standard' : type,
    cards: [...cards, toNoteCard('Not imported', [source])].slice(0, 200),
    ...(position && { position }),
  } as FlowNode
}

function removeValue(document: object, path: string[]): boolean {
  let holder = document as Record<string, unknown>
  for (const name of path.slice(0, -1)) {
    const inside = Object.hasOwn(holder, name) ? holder[name] : null
    if (typeof inside !== 'object' || inside === null) return false
    holder = inside as Record<string, unknown>
  }
  return Object.hasOwn(holder, path.at(-1)!) && delete holder[path.at(-1)!]
}
