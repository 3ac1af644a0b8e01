/** Computes a value at its first use, so that it does not delay the start of bots. */
export function lazily<Value>(compute: () => Value): () => Value {
  let known: { value: Value } | undefined
  return () => {
    known ??= { value: compute() }
    return known.value
  }
}
