// Describes the fields of definitions: known fields, defaults, and how a change is merged. Given
// values are set, null removes, absent values stay, unknown fields are dropped. Authors choose the
// names in maps, so no code here may access a prototype.

type MergeShape = Leaf | Fields | Each
interface Leaf {
  kind: 'leaf'
}
interface Fields {
  kind: 'fields'
  fields: ReadonlyMap<string, MergeShape>
  /** Default values. */
  usual: Record<string, unknown>
}
interface Each {
  kind: 'each'
  value: MergeShape
}

/** A value that is replaced as a unit. */
export const leaf: Leaf = { kind: 'leaf' }
export const fields = (
  shapes: Record<string, MergeShape>,
  usual: Record<string, unknown> = {},
): Fields => ({
  kind: 'fields',
  fields: new Map(Object.entries(shapes)),
  usual,
})
/** A map with names that authors choose. */
export const each = (value: MergeShape): Each => ({ kind: 'each', value })

type Values = Record<string, unknown>
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a new value; does not modify the arguments. */
export function mergeByShape(shape: MergeShape, now: unknown, change: unknown): unknown {
  if (shape.kind === 'leaf' || !isObject(change)) return change
  const before = isObject(now) ? now : {}
  const result = new Map(
    Object.entries(
      shape.kind === 'fields' ? { ...structuredClone(shape.usual), ...before } : before,
    ),
  )
  for (const [name, input] of Object.entries(change)) {
    const inner = shape.kind === 'each' ? shape.value : shape.fields.get(name)
    if (!inner || input === undefined) continue
    if (input === null) restore(result, shape, name)
    else result.set(name, mergeByShape(inner, result.get(name), input))
  }
  return Object.fromEntries(result)
}

function restore(result: Map<string, unknown>, shape: Fields | Each, name: string) {
  if (shape.kind === 'fields' && Object.hasOwn(shape.usual, name))
    result.set(name, structuredClone(shape.usual[name]))
  else result.delete(name)
}
