// JSON, loaded on demand: shown, or edited.
import { lazily } from '../lazily.tsx'
import { Loading } from '../states.tsx'

const JsonEditor = lazily(
  async () => (await import('./json-editor.tsx')).JsonEditor,
  <Loading />,
)

interface JsonProps {
  label: string
  /** The text while it is edited, any value otherwise. */
  value: unknown
  onChange?: (text: string) => void
  maxHeight?: number
}

export function Json({ label, value, onChange, maxHeight = 420 }: JsonProps) {
  const text = onChange ? String(value) : JSON.stringify(value, null, 2)
  return (
    <JsonEditor label={label} text={text} onChange={onChange} maxHeight={maxHeight} />
  )
}
