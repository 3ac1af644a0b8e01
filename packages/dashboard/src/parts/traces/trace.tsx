// A trace, loaded on demand.
import { Modal } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { lazily } from '../lazily.tsx'
import { Loading } from '../states.tsx'
import { useTraced } from './use-trace.ts'

export const TraceView = lazily(
  async () => (await import('./trace-view.tsx')).TraceView,
  <Loading />,
)

/** The trace of the chosen event. */
export function TraceDialog() {
  const [eventId, setEventId] = useTraced()
  if (!eventId) return null
  return (
    <Modal opened onClose={() => setEventId('')} title={texts.trace.title} size="lg">
      <TraceView of={{ eventId }} />
    </Modal>
  )
}
