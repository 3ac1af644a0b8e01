import { Type as T } from 'typebox'
import {
  byId,
  CreatedMeta,
  closed,
  Done,
  Json,
  Meta,
  Moment,
  NewTags,
  paging,
  TagChanges,
  Tags,
} from '../fields.ts'
import { Workflow, WorkflowStatus } from '../models/conversations/workflow.ts'
import { operation } from '../operation.ts'

const response = closed({ workflow: Workflow })

/**
 * The status `in_progress` requires `eventId`: the event during which the bot works on the
 * workflow.
 */
const newWorkflow = {
  name: T.String({ maxLength: 200 }),
  status: T.Enum(['pending', 'in_progress', 'listening']),
  input: T.Optional(Json),
  parentWorkflowId: T.Optional(T.String()),
  conversationId: T.Optional(T.String()),
  userId: T.Optional(T.String()),
  timeoutAt: T.Optional(Moment),
  eventId: T.Optional(T.String()),
}

export const workflows = {
  createWorkflow: operation({
    method: 'POST',
    path: '/v1/chat/workflows',
    access: 'bot',
    summary: 'Create a workflow',
    description:
      'A `pending` workflow starts at once; a `listening` one waits for an event.',
    status: 201,
    body: closed({ ...newWorkflow, tags: T.Optional(NewTags) }),
    response,
    errors: ['ReferenceNotFound'],
  }),
  getOrCreateWorkflow: operation({
    method: 'POST',
    path: '/v1/chat/workflows/get-or-create',
    access: 'bot',
    summary: 'Get or create a workflow by its tags',
    body: closed({
      ...newWorkflow,
      tags: T.Optional(TagChanges),
      discriminateByTags: T.Optional(T.Array(T.String({ maxLength: 500 }))),
      discriminateByStatusGroup: T.Optional(T.Enum(['active', 'finished'])),
    }),
    response: closed({ workflow: Workflow, meta: CreatedMeta }),
    errors: ['ReferenceNotFound'],
  }),
  getWorkflow: operation({
    method: 'GET',
    path: '/v1/chat/workflows/{id}',
    access: 'bot',
    summary: 'Get a workflow',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  listWorkflows: operation({
    method: 'GET',
    path: '/v1/chat/workflows',
    access: 'bot',
    summary: 'List workflows, newest first',
    query: T.Object({
      ...paging,
      tags: T.Optional(Tags),
      conversationId: T.Optional(T.String()),
      userId: T.Optional(T.String()),
      parentWorkflowId: T.Optional(T.String()),
      statuses: T.Optional(T.Array(WorkflowStatus)),
      name: T.Optional(T.String()),
    }),
    response: closed({ workflows: T.Array(Workflow), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  updateWorkflow: operation({
    method: 'PUT',
    path: '/v1/chat/workflows/{id}',
    access: 'bot',
    summary: 'Update the status or output of a workflow',
    params: byId,
    body: closed({
      output: T.Optional(Json),
      timeoutAt: T.Optional(Moment),
      status: T.Optional(
        T.Enum([
          'completed',
          'cancelled',
          'listening',
          'paused',
          'failed',
          'in_progress',
        ]),
      ),
      failureReason: T.Optional(T.String()),
      tags: T.Optional(TagChanges),
      userId: T.Optional(T.String()),
      eventId: T.Optional(T.String()),
    }),
    response,
    errors: ['ResourceNotFound', 'ReferenceNotFound'],
  }),
  deleteWorkflow: operation({
    method: 'DELETE',
    path: '/v1/chat/workflows/{id}',
    access: 'bot',
    summary: 'Delete a workflow',
    description: 'Deleting an active workflow ends it.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
