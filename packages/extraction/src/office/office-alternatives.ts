// Selects one branch of each alternative in Office markup (ECMA-376, part 3): the first choice with
// namespaces that the reader understands, else the fallback.
import type { XmlHandlers } from './office-xml.ts'

/** The namespaces of Office itself; their text is read, whatever their version. */
const office = String.raw`schemas\.(?:microsoft|openxmlformats)\.(?:com|org)|purl\.oclc\.org/ooxml`
const understood = new RegExp(`^(?:https?://(?:${office})/|urn:schemas-microsoft-com:)`)

/** Returns handlers that omit the branches not selected. */
export function selectAlternatives({ open, text, close }: XmlHandlers): XmlHandlers {
  const namespaces = new Map<string, string>()
  /** Whether a branch is selected, for each open alternative. */
  const selected: boolean[] = []
  let omitted = 0
  const understands = (requires = '') =>
    requires.split(/\s+/).every((prefix) => understood.test(namespaces.get(prefix) ?? ''))
  const isOmitted = (tag: string, requires: string | undefined) => {
    if (selected.length === 0 || (tag !== 'Choice' && tag !== 'Fallback')) return false
    const takes = !selected.at(-1) && (tag === 'Fallback' || understands(requires))
    if (takes) selected[selected.length - 1] = true
    return !takes
  }
  return {
    open(tag, attributes) {
      for (const [name, value] of Object.entries(attributes))
        if (/^(?:http|urn:)/.test(value)) namespaces.set(name, value)
      if (omitted > 0 || isOmitted(tag, attributes.Requires)) omitted += 1
      else {
        if (tag === 'AlternateContent') selected.push(false)
        open?.(tag, attributes)
      }
    },
    text(content) {
      if (omitted === 0) text?.(content)
    },
    close(tag) {
      if (omitted > 0) omitted -= 1
      else {
        if (tag === 'AlternateContent') selected.pop()
        close?.(tag)
      }
    },
  }
}
