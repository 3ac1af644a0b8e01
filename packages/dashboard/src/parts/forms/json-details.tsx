// JSON behind a summary; it loads when it is opened.
import { Folded } from '../folded.tsx'
import { Json } from './json-view.tsx'

export const JsonDetails = ({ title, value }: { title: string; value: unknown }) => (
  <Folded title={title}>
    <Json label={title} value={value} />
  </Folded>
)
