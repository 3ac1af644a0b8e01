// The differences of two states of a bot, by step, with the names of the page Flows.
import { changesBetween } from '../../versions/document-changes.ts'
import { findFlow, type Json, listFlows, toObject } from '../flows/bot-document.ts'

type Change = ReturnType<typeof changesBetween>[number]

/** Positions of steps are no change. */
export function changesInWords(before: Json, after: Json): Change[] {
  const names = [...new Set([...listFlows(before), ...listFlows(after)])]
  const { flows: _before, ...restBefore } = before
  const { flows: _after, ...restAfter } = after
  return [
    ...names.flatMap((name) => changesOfFlow(name, before, after)),
    ...changesBetween(restBefore, restAfter),
  ]
}

function changesOfFlow(flow: string, before: Json, after: Json): Change[] {
  const isKnown = (document: Json) => Object.hasOwn(toObject(document.flows), flow)
  if (!isKnown(before)) return [{ kind: 'added', path: flow }]
  if (!isKnown(after)) return [{ kind: 'removed', path: flow }]
  const [old, current] = [findFlow(before, flow), findFlow(after, flow)]
  const toSteps = (nodes: unknown) => ({ flows: { [flow]: { nodes } } })
  const { nodes: _old, ...fieldsBefore } = old
  const { nodes: _current, ...fieldsAfter } = current
  const steps = [...new Set([old, current].flatMap(({ nodes }) => Object.keys(toObject(nodes))))]
  return [
    ...steps.flatMap((step): Change[] => {
      const [one, other] = [old, current].map(({ nodes }) => toObject(nodes)[step])
      if (one === undefined) return [{ kind: 'added', path: `${flow} · ${step}` }]
      if (other === undefined) return [{ kind: 'removed', path: `${flow} · ${step}` }]
      const isSame = changesBetween(toSteps({ step: one }), toSteps({ step: other })).length === 0
      return isSame ? [] : [{ kind: 'changed', path: `${flow} · ${step}` }]
    }),
    ...changesBetween(fieldsBefore, fieldsAfter).map(({ kind, path }) => ({
      kind,
      path: `${flow} · ${path}`,
    })),
  ]
}
