// The states of a conversation or user that the bot declares.

import { RequestError } from '@botstead/client'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBotQuery } from '../../api/bot-query.ts'
import { useBot } from '../../api/scope.ts'
import { useMay } from '../../api/session.ts'
import { texts } from '../../texts/texts.ts'
import { FormModal } from '../forms/form-modal.tsx'
import { parseObject } from '../forms/json-object.ts'
import { Json } from '../forms/json-view.tsx'
import { notifyDone } from '../notify.ts'
import { Loaded } from '../states.tsx'

const t = texts.states

interface ObjectProps {
  type: 'conversation' | 'user'
  id: string
  /** Names of the states that are set. Undefined: not known. */
  stored?: string[] | undefined
}

export function ObjectStates(object: ObjectProps) {
  const query = useBotQuery()
  return (
    <Loaded query={query}>
      {({ bot: { states } }) => {
        const names = Object.keys(states).filter(
          (name) => states[name]!.type === object.type,
        )
        if (names.length === 0)
          return (
            <Text size="sm" c="dimmed">
              {t.none[object.type]}
            </Text>
          )
        return names.map((name) => <State key={name} name={name} {...object} />)
      }}
    </Loaded>
  )
}

type StateProps = ObjectProps & { name: string }

const toParams = ({ type, id, name }: StateProps) => ({ type, id, name })
const getKey = (botId: string, { type, id }: ObjectProps) => [`${type}s`, botId, id]

function State(state: StateProps) {
  const { name } = state
  const { botId, client } = useBot()
  const isEditor = useMay()('data.write')
  const [isEditing, setEditing] = useState(false)
  // A request for a state that is not set would be an error in the console of the browser.
  const isSet = state.stored?.includes(name) ?? true
  const query = useQuery({
    queryKey: [...getKey(botId, state), 'state', name, isSet],
    queryFn: async ({ signal }) => {
      if (!isSet) return null
      try {
        return (await client.runtime.getState({ params: toParams(state) }, { signal }))
          .state.payload
      } catch (error) {
        if (error instanceof RequestError && error.status === 404) return null
        throw error
      }
    },
  })
  return (
    <Loaded query={query}>
      {(payload) => (
        <Stack gap={4}>
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" fw={600} className="foreign">
              {name}
            </Text>
            {isEditor && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t.editOf(name)}
                onClick={() => setEditing(true)}
              >
                {t.edit}
              </Button>
            )}
          </Group>
          {payload === null ? (
            <Text size="sm" c="dimmed">
              {t.notSet}
            </Text>
          ) : (
            <Json label={name} value={payload} maxHeight={200} />
          )}
          {isEditing && (
            <EditState
              state={state}
              payload={payload}
              onClose={() => setEditing(false)}
            />
          )}
        </Stack>
      )}
    </Loaded>
  )
}

interface EditStateProps {
  state: StateProps
  payload: unknown
  onClose: () => void
}

function EditState({ state, payload, onClose }: EditStateProps) {
  const { name } = state
  const { botId, client } = useBot()
  const queries = useQueryClient()
  const [text, setText] = useState(() => JSON.stringify(payload ?? {}, null, 2))
  const edited = parseObject(text)
  const save = useMutation({
    mutationFn: async () => {
      await client.runtime.setState({
        params: toParams(state),
        body: { payload: edited! },
      })
      await queries.invalidateQueries({ queryKey: getKey(botId, state) })
    },
    onSuccess: () => {
      notifyDone(t.saved)
      onClose()
    },
  })
  return (
    <FormModal
      title={t.editOf(name)}
      size="lg"
      action={save}
      button={texts.common.save}
      isReady={edited !== null}
      onClose={onClose}
    >
      <Json label={name} value={text} onChange={setText} />
      {!edited && <Text size="sm">{texts.common.errors.invalidJson}</Text>}
    </FormModal>
  )
}
