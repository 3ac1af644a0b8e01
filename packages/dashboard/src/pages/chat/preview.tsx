// The chat page in a frame, which shows these settings and calls nothing, above the button of websites.
import { Group, Paper, SegmentedControl, Stack, ThemeIcon } from '@mantine/core'
import { bubblePath, icon, picture } from 'page/widget-elements.js'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../../texts/texts.ts'

const t = texts.chat

interface PreviewProps {
  botId: string
  settings: object
  button: { color: string; position: 'right' | 'left'; avatarUrl: string }
}

export function Preview({ botId, settings, button }: PreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [shows, setShows] = useState('start')
  const sent = JSON.stringify({ settings, shows })
  useEffect(() => {
    const send = () =>
      frame.current?.contentWindow?.postMessage(
        { type: 'botstead:preview', ...JSON.parse(sent) },
        location.origin,
      )
    const onMessage = ({ source, data }: MessageEvent) =>
      source === frame.current?.contentWindow &&
      data?.type === 'botstead:loaded' &&
      send()
    addEventListener('message', onMessage)
    send()
    return () => removeEventListener('message', onMessage)
  }, [sent])
  return (
    <Stack gap="sm" style={{ flex: '0 0 380px', position: 'sticky', top: 0 }}>
      <SegmentedControl
        data={Object.entries(t.previews).map(([value, label]) => ({ value, label }))}
        value={shows}
        onChange={setShows}
        aria-label={t.previewShows}
        fullWidth
      />
      <Paper className="panel" style={{ overflow: 'hidden' }}>
        <iframe
          ref={frame}
          src={`/talk/${botId}?preview`}
          title={t.preview}
          style={{ display: 'block', width: '100%', height: 520, border: 0 }}
        />
      </Paper>
      <Group justify={button.position === 'left' ? 'flex-start' : 'flex-end'} aria-hidden>
        <ThemeIcon
          size={60}
          radius="xl"
          color={button.color}
          autoContrast
          data-side={button.position}
          style={{ overflow: 'hidden' }}
        >
          <ButtonIcon avatarUrl={button.avatarUrl} />
        </ThemeIcon>
      </Group>
    </Stack>
  )
}

/** As the widget draws it on websites. */
function ButtonIcon({ avatarUrl }: { avatarUrl: string }) {
  const box = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const hasPicture = /^https?:/.test(avatarUrl)
    box.current?.replaceChildren(hasPicture ? picture(avatarUrl) : icon(bubblePath))
  }, [avatarUrl])
  return (
    <span
      ref={box}
      style={{ display: 'grid', width: '100%', height: '100%', placeItems: 'center' }}
    />
  )
}
