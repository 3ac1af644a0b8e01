// Definitions as data: which fields there are, what they are when nobody said, and how a change is merged in. What is given is set, null removes,
// the rest stays; what is known to no shape is not kept. Names inside maps are authors' words, so nothing here may reach a prototype.

export type Shape = Leaf | Fields | Each
interface Leaf {
  kind: 'leaf'
}
interface Fields {
  kind: 'fields'
  fields: ReadonlyMap<string, Shape>
  /** What is there although nobody gave it. */
  usual: Record<string, unknown>
}
interface Each {
  kind: 'each'
  value: Shape
}

/** Replaced whole. */
export const leaf: Leaf = { kind: 'leaf' }
export const fields = (shapes: Record<string, Shape>, usual: Record<string, unknown> = {}): Fields => ({
  kind: 'fields',
  fields: new Map(Object.entries(shapes)),
  usual,
})
/** A map from names that authors chose. */
export const each = (value: Shape): Each => ({ kind: 'each', value })

type Values = Record<string, unknown>
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A new value; neither argument is touched. */
export function merged(shape: Shape, now: unknown, change: unknown): unknown {
  if (shape.kind === 'leaf' || !isObject(change)) return change
  const before = isObject(now) ? now : {}
  const result = new Map(
    Object.entries(shape.kind === 'fields' ? { ...structuredClone(shape.usual), ...before } : before),
  )
  for (const [name, given] of Object.entries(change)) {
    const inner = shape.kind === 'each' ? shape.value : shape.fields.get(name)
    if (!inner || given === undefined) continue
    if (given === null) restore(result, shape, name)
    else result.set(name, merged(inner, result.get(name), given))
  }
  return Object.fromEntries(result)
}

function restore(result: Map<string, unknown>, shape: Fields | Each, name: string) {
  if (shape.kind === 'fields' && Object.hasOwn(shape.usual, name))
    result.set(name, structuredClone(shape.usual[name]))
  else result.delete(name)
}
