// The chat page in a frame, which shows these settings and calls nothing.
import { Paper } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { texts } from '../../texts/texts.ts'

export function Preview({ botId, settings }: { botId: string; settings: object }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const sent = JSON.stringify(settings)
  useEffect(() => {
    const send = () =>
      frame.current?.contentWindow?.postMessage(
        { type: 'botstead:preview', settings: JSON.parse(sent) },
        location.origin,
      )
    const onMessage = ({ source, data }: MessageEvent) =>
      source === frame.current?.contentWindow && data?.type === 'botstead:loaded' && send()
    addEventListener('message', onMessage)
    send()
    return () => removeEventListener('message', onMessage)
  }, [sent])
  return (
    <Paper
      className="panel"
      w={{ base: '100%', lg: 380 }}
      style={{ flex: 'none', overflow: 'hidden', position: 'sticky', top: 0 }}
    >
      <iframe
        ref={frame}
        src={`/talk/${botId}?preview`}
        title={texts.chat.preview}
        style={{ display: 'block', width: '100%', height: 560, border: 0 }}
      />
    </Paper>
  )
}
