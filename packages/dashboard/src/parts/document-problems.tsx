// Problems or warnings of a document, each with its place.
import { CodedText } from './coded-text.tsx'
import type { DocumentProblem } from './input-error.ts'

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
