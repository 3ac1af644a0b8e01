// Finds exported names that no other file imports. Identifies files by their name without folder
// and extension, so it may miss a name, but reports none that is in use.

const checked = /^(?:packages\/[^/]+\/src|bench\/src|conformance)\/.*(?<!\.test)\.ts$/
const declaration =
  /^export (?:async )?(?:const|function\*?|class|interface|type) ([\w$]+)/gm
const imports = [
  // `import { a, type B } from './file.ts'`, `export * from './file.ts'`, in strings, too.
  /\b(?:import|export)\b[^'"`;={}()]*?(\{[^{}]*\}|\*)[^'"\n;]*?\bfrom\b.*?([\w-]+)(?:\.gen)?(?:\.[jt]s)?['"]/g,
  // `const { a } = await import('./file.ts')`
  /(\{[^{}]*\}) = await import\(['"].*?([\w-]+)(?:\.gen)?(?:\.[jt]s)?['"]/g,
]
/** `(await import('./file.ts')).a`, or the type `import('./file.ts').A` */
const member = /\bimport\(['"].*?([\w-]+)(?:\.gen)?(?:\.[jt]s)?['"]\)+\.([\w$]+)/g

/**
 * Returns the findings in sources: `{ path, text }`. Names of entry points are in use, and names in
 * emitted declarations, because TypeScript requires their export.
 */
export function findUnusedExports(sources, { entryPoints, declarations }) {
  const used = new Set()
  for (const text of [...sources.map((source) => source.text), ...declarations]) {
    for (const [, names, file] of imports.flatMap((pattern) => [
      ...text.matchAll(pattern),
    ]))
      for (const [name] of names.matchAll(/[\w$]+|\*/g)) used.add(`${file} ${name}`)
    for (const [, file, name] of text.matchAll(member)) used.add(`${file} ${name}`)
  }
  return sources
    .filter(({ path }) => checked.test(path) && !entryPoints.includes(path))
    .flatMap(({ path, text }) => {
      const file = /([^/]+?)(?:\.gen)?\.ts$/.exec(path)[1]
      if (used.has(`${file} *`)) return []
      return [...text.matchAll(declaration)]
        .filter(([, name]) => !used.has(`${file} ${name}`))
        .map(
          ([, name]) =>
            `${path}: remove \`export\` from ${name}: no other file imports it`,
        )
    })
}
