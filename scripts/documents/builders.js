// Generates the tables in docs/moving-in.md from the kinds that the importers know.
import { supportedBuilders } from '../../packages/flows/dist/imports.js'
import { table } from './marked.js'

const words = { carried: 'yes', changed: 'with a difference', omitted: 'no' }

/** Returns a table for each builder, under its name. */
export const builderTables = () =>
  supportedBuilders
    .map(({ name, files, kinds }) =>
      [
        `### ${name}`,
        '',
        `Files: ${files}.`,
        '',
        table(
          ['Part', 'Carried', 'Becomes', 'Note'],
          Object.entries(kinds).map(([kind, { becomes, result, note = '' }]) => [
            kind,
            words[result],
            becomes,
            note,
          ]),
        ),
      ].join('\n'),
    )
    .join('\n\n')
