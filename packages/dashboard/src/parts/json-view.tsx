// JSON, loaded on demand: shown, or edited.
import { lazy, Suspense } from 'react'
import { Loading } from './states.tsx'

const Editor = lazy(() =>
  import('./json-editor.tsx').then(({ JsonEditor }) => ({ default: JsonEditor })),
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
    <Suspense fallback={<Loading />}>
      <Editor label={label} text={text} onChange={onChange} maxHeight={maxHeight} />
    </Suspense>
  )
}
