// The bots of the workspace with a text in their name, newest first.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useWorkspace } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'
import { BotPicture } from '../bot-picture.tsx'
import { toAddress } from '../pages.ts'
import type { ResultGroup } from './result-list.tsx'

const maxBots = 20

export function useFoundBots(
  text: string,
  open: (address: string) => void,
  isWanted = true,
): { groups: ResultGroup[]; isLoading: boolean } {
  const { workspaceId, client } = useWorkspace()
  const { botId } = useParams({ strict: false })
  const may = useMay()
  const { data, isFetching } = useQuery({
    queryKey: ['bots', workspaceId, 'found', text],
    queryFn: ({ signal }) =>
      client.platform.listBotOverviews(
        { query: { pageSize: maxBots, ...(text && { search: text }) } },
        { signal },
      ),
    enabled: isWanted && may('bots.list'),
    placeholderData: keepPreviousData,
  })
  const results = (isWanted ? (data?.bots ?? []) : []).map(({ id, name }) => ({
    key: id,
    label: name,
    icon: <BotPicture name={name} />,
    isCurrent: id === botId,
    open: () => open(toAddress({ path: '' }, workspaceId, id)),
  }))
  return {
    groups: results.length > 0 ? [{ title: texts.shell.nav.bots, results }] : [],
    isLoading: isFetching,
  }
}
