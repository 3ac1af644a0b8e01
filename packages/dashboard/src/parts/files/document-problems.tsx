// Problems or warnings of a document, each with its place.

import type { DocumentProblem } from '../forms/input-error.ts'
import { CodedText } from '../texts/coded-text.tsx'

export const DocumentProblems = ({ problems }: { problems: DocumentProblem[] }) => (
  <ul className="foreign problems">
    {problems.map(({ place, pointer, message }) => (
      <li key={`${place} ${pointer} ${message}`}>
        {place && <code>{place}</code>} {pointer && <code>{pointer}</code>}{' '}
        <CodedText text={message} />
      </li>
    ))}
  </ul>
)
