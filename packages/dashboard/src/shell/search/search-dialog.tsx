// One search over pages, bots, users and conversations. It opens by Ctrl+K or Cmd+K.
import { Modal, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../../texts/texts.ts'
import { ResultList } from './result-list.tsx'
import { useFoundBots } from './use-found-bots.tsx'
import { useFoundPages } from './use-found-pages.tsx'
import { useFoundConversations, useFoundUsers } from './use-found-people.tsx'

const t = texts.search
const settleMs = 200

export function SearchDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text.trim(), settleMs)
  const { botId } = useParams({ strict: false })
  const open = useOpen(onClose)
  const pages = useFoundPages(text, open)
  const found = [
    useFoundBots(settled, open, settled !== ''),
    useFoundUsers(settled, open),
    useFoundConversations(settled, open),
  ]
  const groups = [pages, ...found].flatMap((one) => one.groups)
  const isLoading = text.trim() !== settled || found.some((one) => one.isLoading)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.title}
      size="lg"
      yOffset="10dvh"
      centered={false}
    >
      <ResultList
        label={botId ? t.label : t.labelOfWorkspace}
        text={text}
        onText={setText}
        groups={groups}
        isLoading={isLoading}
      />
      <Text size="xs" c="dimmed" mt="xs" className="wide-only">
        {t.keys}
      </Text>
    </Modal>
  )
}

/** Returns a function that opens an address. The dialog closes unless unsaved input keeps the page. */
function useOpen(onClose: () => void) {
  const navigate = useNavigate()
  const { href } = useLocation()
  const openedAt = useRef(href)
  useEffect(() => {
    if (href !== openedAt.current) onClose()
  }, [href, onClose])
  return (address: string, search: Record<string, string> = {}) => {
    onClose()
    void navigate({ to: address as '/', search })
  }
}
