// Runs the steps of a scenario in order and prints their results as JSON, the last line of the
// output. The other steps need the first one: they are not performed after it failed. Any other
// failed step does not end the scenario.
export const env = (name) => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

export async function perform(steps) {
  const done = []
  for (const [name, step] of Object.entries(steps)) {
    const failure = await within(60_000, step).then(
      () => null,
      (error) => String(error?.message ?? error).slice(0, 300),
    )
    done.push({ step: name, failure })
    if (failure !== null && done.length === 1) break
  }
  console.log(JSON.stringify(done))
  process.exit(0)
}

const within = (ms, step) =>
  Promise.race([
    (async () => step())(),
    new Promise((_, reject) =>
      setTimeout(() => reject(new Error(`No result within ${ms} ms`)), ms).unref(),
    ),
  ])

export async function until(look, ms = 20_000) {
  const end = Date.now() + ms
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error(`Not seen within ${ms} ms`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export function equal(found, expected) {
  if (JSON.stringify(found) !== JSON.stringify(expected))
    throw new Error(
      `Expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`,
    )
}
