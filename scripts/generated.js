// What is generated and committed: one OpenAPI document per family. Needs a build first.
import { families, toOpenApi } from '../packages/contract/dist/index.js'

/** Path from the root of the project, and text. */
export const generated = () =>
  Object.keys(families).map((name) => ({
    path: `packages/contract/openapi/${name}.json`,
    text: `${JSON.stringify(toOpenApi(name), null, 2)}\n`,
  }))
