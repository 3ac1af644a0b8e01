// Checks the architecture: circles of files, the doors of modules, the owners of tables.
import { findCircles } from './circles.js'
import { readImports, readSpecifiers } from './imports.js'
import {
  findCoreToFeatures,
  findModulesInCircles,
  findPackagesInCircles,
  findPastDoors,
} from './modules.js'
import { findSharedTables, findUndeclared, readTables } from './tables.js'

/** The rules, each with the remedy of a finding. */
export const rules = {
  filesInCircles:
    'imports a file that imports it; move the shared names into a file below both',
  modulesInCircles: 'imports a module that imports it; one of them is below the other',
  packagesInCircles: 'imports a package that imports it; one of them is below the other',
  coreToFeatures: 'the core imports no feature; use a hook of the feature',
  pastDoors: "another module imports it; export the names in the module's index.ts",
  foreignInContract: 'the contract runs anywhere, so it imports only typebox',
  foreignInLib: 'the library is part of every other package, so it imports only Node',
  sharedTables: 'a table has one writer; call a function of its owner',
  undeclaredTables: "state the table's rules in table-rules.ts of its owner",
  spreadAtOnce: 'an object is spread where it is written; write its members',
}

const isChecked = ({ path }) =>
  /^(?:packages\/[^/]+\/(?:src|page)|bench\/src|conformance|scripts)\/.*\.(?:tsx?|js)$/.test(
    path,
  ) && !/\.test\.tsx?$/.test(path)

/** Returns the sources with a checked structure: without tests. */
export const listChecked = (sources) => sources.filter(isChecked)

/** Returns the findings by rule, each a sorted list. `schema` is the text of the generated row types. */
export function examine(sources, { schema }) {
  const checked = listChecked(sources)
  const imports = readImports(checked)
  const tables = readTables(schema)
  const findings = {
    filesInCircles: findCircles(imports).flat(),
    modulesInCircles: findModulesInCircles(imports),
    packagesInCircles: findPackagesInCircles(checked),
    coreToFeatures: findCoreToFeatures(imports),
    pastDoors: findPastDoors(imports),
    foreignInContract: findForeign(checked, 'contract', /^typebox$/),
    foreignInLib: findForeign(checked, 'lib', /^node:/),
    sharedTables: findSharedTables(checked, tables),
    undeclaredTables: findUndeclared(checked, tables),
    spreadAtOnce: findSpreadAtOnce(sources),
  }
  return Object.fromEntries(
    Object.entries(findings).map(([rule, found]) => [rule, found.sort()]),
  )
}

/** `...{ a, b }` keeps the formatter from giving each member its line. */
const findSpreadAtOnce = (sources) =>
  sources
    .filter(({ path, text }) => isCode(path) && /^\s*\.\.\.\{(?!\})/m.test(text))
    .map(({ path }) => path)

const isCode = (path) => /\.(?:tsx?|m?js)$/.test(path)

/** Returns the libraries that a package imports, but those with a permitted name. */
const findForeign = (checked, name, permitted) =>
  checked
    .filter(({ path }) => path.startsWith(`packages/${name}/`))
    .flatMap(({ path, text }) =>
      readSpecifiers(text)
        .filter(
          ({ specifier }) => !specifier.startsWith('.') && !permitted.test(specifier),
        )
        .map(({ specifier }) => `${path} imports ${specifier}`),
    )

/** Returns a message for each finding. */
export const toMessages = (findings) =>
  Object.entries(rules).flatMap(([rule, remedy]) =>
    findings[rule].map((finding) => `${finding}: ${remedy}`),
  )

/** Returns one line about the architecture. */
export function summarize(findings) {
  const counts = [
    `${findings.filesInCircles.length} files in circles`,
    `${findings.modulesInCircles.length} modules in circles`,
    `${findings.packagesInCircles.length} packages in circles`,
    `${findings.coreToFeatures.length} imports of features in the core`,
    `${findings.pastDoors.length} files imported past doors`,
    `${new Set(findings.sharedTables.map(toTable)).size} tables with several writers`,
    `${findings.undeclaredTables.length} tables without declared rules`,
  ]
  return `Architecture: ${counts.join(', ')}.`
}

const toTable = (finding) => finding.replace(/:.*/, '')
