// The dialog that adds a budget for models.
import type { ModelBudget } from '@botstead/contract'
import { Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../api/scope.ts'
import { FormModal } from '../../parts/forms/form-modal.tsx'
import { texts } from '../../texts/texts.ts'

const t = texts.usage

interface AddBudgetProps {
  onAdded: () => Promise<unknown>
  onClose: () => void
}

export function AddBudget({ onAdded, onClose }: AddBudgetProps) {
  const { client } = useWorkspace()
  const [scope, setScope] = useState<ModelBudget['scope']>('workspace')
  const [scopeId, setScopeId] = useState('')
  const [unit, setUnit] = useState<ModelBudget['unit']>('dollars')
  const [period, setPeriod] = useState<ModelBudget['period']>('month')
  const [maximum, setMaximum] = useState<number | string>('')
  const one = scope !== 'workspace' && scopeId.trim()
  const add = useMutation({
    mutationFn: () =>
      client.platform.createModelBudget({
        body: {
          scope,
          unit,
          period,
          maximum: Number(maximum),
          ...(one && { scopeId: one }),
        },
      }),
    onSuccess: async () => {
      await onAdded()
      onClose()
    },
  })
  return (
    <FormModal title={t.addTitle} action={add} button={t.addBudget} onClose={onClose}>
      <Choice label={t.scope} names={t.scopes} value={scope} onChange={setScope} />
      {scope !== 'workspace' && (
        <TextInput
          label={t.scopeId}
          description={t.scopeIdHint}
          placeholder={t.scopeIdExamples[scope]}
          value={scopeId}
          onChange={(event) => setScopeId(event.currentTarget.value)}
          maxLength={100}
        />
      )}
      <Group grow align="flex-start">
        <NumberInput
          label={t.maximum}
          value={maximum}
          onChange={setMaximum}
          min={0}
          max={1e12}
          allowNegative={false}
          required
          data-autofocus
        />
        <Choice label={t.unit} names={t.units} value={unit} onChange={setUnit} />
      </Group>
      <Choice label={t.per} names={t.periods} value={period} onChange={setPeriod} />
    </FormModal>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  names: Record<Value, string>
  value: Value
  onChange: (value: Value) => void
}

function Choice<Value extends string>({
  label,
  names,
  value,
  onChange,
}: ChoiceProps<Value>) {
  const data = Object.entries<string>(names).map(([value, label]) => ({ value, label }))
  return (
    <Select
      label={label}
      data={data}
      value={value}
      onChange={(chosen) => chosen && onChange(chosen as Value)}
      allowDeselect={false}
    />
  )
}
