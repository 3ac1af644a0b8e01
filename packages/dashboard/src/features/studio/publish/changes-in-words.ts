// The differences of two states of a bot, by step, with the names of the page Flows.
import { changesBetween } from '../../versions/document-changes.ts'
import { toPointer } from '../draft/edits.ts'
import { findFlow, type Json, listFlows, toObject } from '../flows/bot-document.ts'
import { nameFlow } from '../flows/names.ts'
import { describePlace, nodePointer } from '../flows/places.ts'

type Change = ReturnType<typeof changesBetween>[number]

/** Positions of steps are no change. Changes with the same words are listed once. */
export function changesInWords(before: Json, after: Json): Change[] {
  const names = [...new Set([...listFlows(before), ...listFlows(after)])]
  const { flows: _before, ...restBefore } = before
  const { flows: _after, ...restAfter } = after
  const changes = [
    ...names.flatMap((name) => changesOfFlow(name, before, after)),
    ...changesBetween(restBefore, restAfter).map(({ kind, path }) => ({
      kind,
      path: describePlace(toPointer(...splitPath(path)), after),
    })),
  ]
  return [
    ...new Map(
      changes.map((change) => [`${change.kind} ${change.path}`, change]),
    ).values(),
  ]
}

function changesOfFlow(flow: string, before: Json, after: Json): Change[] {
  const isKnown = (document: Json) => Object.hasOwn(toObject(document.flows), flow)
  if (!isKnown(before)) return [{ kind: 'added', path: nameFlow(flow) }]
  if (!isKnown(after)) return [{ kind: 'removed', path: nameFlow(flow) }]
  const [old, current] = [findFlow(before, flow), findFlow(after, flow)]
  const toStep = (step: string) => describePlace(nodePointer(flow, step), after)
  const toSteps = (nodes: unknown) => ({ flows: { [flow]: { nodes } } })
  const { nodes: _old, ...fieldsBefore } = old
  const { nodes: _current, ...fieldsAfter } = current
  const steps = [
    ...new Set([old, current].flatMap(({ nodes }) => Object.keys(toObject(nodes)))),
  ]
  return [
    ...steps.flatMap((step): Change[] => {
      const [one, other] = [old, current].map(({ nodes }) => toObject(nodes)[step])
      if (one === undefined) return [{ kind: 'added', path: toStep(step) }]
      if (other === undefined) return [{ kind: 'removed', path: toStep(step) }]
      const isSame =
        changesBetween(toSteps({ step: one }), toSteps({ step: other })).length === 0
      return isSame ? [] : [{ kind: 'changed', path: toStep(step) }]
    }),
    ...changesBetween(fieldsBefore, fieldsAfter).map(({ kind, path }) => ({
      kind,
      path: describePlace(toPointer('flows', flow, ...splitPath(path)), after),
    })),
  ]
}

/** `settings.codeTimeout` is a part and its field, which may have dots. */
function splitPath(path: string): string[] {
  const dot = path.indexOf('.')
  return dot < 0 ? [path] : [path.slice(0, dot), path.slice(dot + 1)]
}
