// The first check after a keystroke in a large document: of the changed step, in a document without the cards
// of all others. These are checked a moment later.
import { isObject, type Json, toObject } from '../flows/bot-document.ts'
import { nodePointer } from '../flows/places.ts'
import type { Problem } from './problem.ts'

interface Step {
  flow: string
  node: string
}

/** Unchanged parts of documents are the same objects. */
const listChanges = (before: Json, after: Json): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] !== after[name],
  )

/** Returns the only step in which two documents differ; null if they differ elsewhere. */
export function findChangedStep(before: Json, after: Json): Step | null {
  let [one, other] = [before, after]
  const path: string[] = []
  for (const level of ['flows', null, 'nodes', null]) {
    const [name, ...others] = listChanges(one, other)
    if (name === undefined || others.length > 0 || (level !== null && name !== level)) return null
    if (!isObject(one[name]) || !isObject(other[name])) return null
    path.push(name)
    ;[one, other] = [one[name], other[name]]
  }
  const [, flow = '', , node = ''] = path
  return one.type === other.type ? { flow, node } : null
}

/** Returns the document with the cards of one step only. */
export function omitOtherCards(document: Json, step: Step): Json {
  const flows = Object.entries(toObject(document.flows)).map(([flow, each]) => {
    const nodes = Object.entries(toObject(toObject(each).nodes)).map(([node, content]) => [
      node,
      isObject(content) && !(flow === step.flow && node === step.node)
        ? { ...content, cards: [] }
        : content,
    ])
    return [flow, { ...toObject(each), nodes: Object.fromEntries(nodes) }]
  })
  return { ...document, flows: Object.fromEntries(flows) }
}

/** Returns the problems of the step as `fresh` has them, and the others as before. */
export function replaceProblems(known: Problem[], fresh: Problem[], { flow, node }: Step) {
  const prefix = `${nodePointer(flow, node)}/`
  const isInside = ({ pointer }: Problem) => `${pointer}/`.startsWith(prefix)
  return [...known.filter((each) => !isInside(each)), ...fresh.filter(isInside)]
}
