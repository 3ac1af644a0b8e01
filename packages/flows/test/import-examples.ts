// Small exports in the format of each builder, with all kinds of parts that the importers know.
import { deflateRawSync, gzipSync } from 'node:zlib'
import { stringify } from 'yaml'

export interface ExampleExport {
  fileName: string
  bytes: Uint8Array
}

const toBytes = (text: string) => new TextEncoder().encode(text)
const toJsonFile = (fileName: string, value: unknown): ExampleExport => ({
  fileName,
  bytes: toBytes(JSON.stringify(value)),
})

const rich = (text: string) => ({ richText: [{ type: 'p', children: [{ text }] }] })
const position = { x: 10.4, y: -20 }

/** Each group is one block, connected in this order; items lead to the last group. */
export function typebotFile(blocks: Record<string, unknown>[]) {
  const ids = blocks.map((_, index) => `b${index}`)
  return {
    version: '6',
    name: 'All blocks',
    events: [
      { id: 'e0', type: 'start', outgoingEdgeId: 'first', graphCoordinates: position },
      { id: 'e1', type: 'command', command: 'help' },
    ],
    groups: blocks.map((block, index) => ({
      id: `g${index}`,
      title: `Group ${index}`,
      graphCoordinates: position,
      blocks: [
        { id: `t${index}`, type: 'text', content: rich(`Question ${index}`) },
        {
          id: ids[index],
          ...block,
          ...(index + 1 < blocks.length && { outgoingEdgeId: `n${index}` }),
        },
      ],
    })),
    edges: [
      { id: 'first', from: { eventId: 'e0' }, to: { groupId: 'g0' } },
      { id: 'last', from: { blockId: 'b0' }, to: { groupId: `g${blocks.length - 1}` } },
      ...ids.map((blockId, index) => ({
        id: `n${index}`,
        from: { blockId },
        to: { groupId: `g${index + 1}` },
      })),
    ],
    variables: [
      { id: 'v1', name: 'Name' },
      { id: 'v2', name: 'Lead Score' },
      { id: 'v3', name: 'list' },
    ],
    theme: {},
    settings: {},
  }
}

const inputs = [
  'text',
  'email',
  'url',
  'date',
  'time',
  'phone number',
  'file',
  'payment',
  'otp',
].map((kind) => ({ type: `${kind} input`, options: { variableId: 'v1' } }))

const allBlocks = [
  { type: 'text', content: rich('Hello {{Name}}, {{ nobody }} and @user.name') },
  { type: 'image', content: { url: 'https://example.org/a.png' } },
  { type: 'video', content: { type: 'youtube', id: 'abc' } },
  { type: 'video', content: { type: 'url', url: 'https://example.org/a.mp4' } },
  { type: 'audio', content: { url: 'https://example.org/a.mp3' } },
  { type: 'embed', content: { url: 'https://example.org/{{Name}}' } },
  { type: 'location', content: { latitude: '1.5', longitude: 2 } },
  ...inputs,
  { type: 'number input', options: { variableId: 'v2', min: 1, max: '{{Lead Score}}' } },
  { type: 'rating input', options: { variableId: 'v2', length: 5 } },
  {
    type: 'choice input',
    options: { variableId: 'v1' },
    items: [
      { id: 'i0', content: 'Yes', outgoingEdgeId: 'last' },
      {
        id: 'i1',
        content: 'No, {{Name}}',
        displayCondition: {
          isEnabled: true,
          condition: {
            comparisons: [{ variableId: 'v1', comparisonOperator: 'Is set' }],
          },
        },
      },
    ],
  },
  {
    type: 'choice input',
    options: { isMultipleChoice: true, dynamicVariableId: 'v3' },
    items: [],
  },
  {
    type: 'picture choice input',
    items: [
      {
        id: 'p0',
        title: 'Cat',
        pictureSrc: 'https://example.org/cat.png',
        outgoingEdgeId: 'last',
      },
    ],
  },
  {
    type: 'cards input',
    items: [
      {
        id: 'c0',
        title: 'Tea',
        imageUrl: null,
        paths: [
          { id: 'x', text: 'Buy' },
          { id: 'y', text: 'Skip' },
        ],
      },
    ],
  },
  ...[
    '{{Lead Score}} + 10',
    '0',
    'Hello',
    '"{{Name}}".toUpperCase()',
    'return {{Name}} + 1',
  ].map((expressionToEvaluate) => ({
    type: 'Set variable',
    options: { variableId: 'v2', expressionToEvaluate },
  })),
  ...[
    'Now',
    'Random ID',
    'Append value(s)',
    'Pop',
    'Empty',
    'Map item with same index',
  ].map((type) => ({
    type: 'Set variable',
    options: { variableId: 'v3', type, item: '{{Name}}', saveItemInVariableId: 'v1' },
  })),
  {
    type: 'Condition',
    items: [
      ...[
        'Equal to',
        'Contains',
        'Greater than',
        'Is empty',
        'Starts with',
        'Matches regex',
      ],
      'Does not match regex',
    ].map((comparisonOperator, index) => ({
      id: `k${index}`,
      outgoingEdgeId: 'last',
      content: {
        logicalOperator: 'OR',
        comparisons: [
          { variableId: 'v1', comparisonOperator, value: '30' },
          { variableId: 'v2', comparisonOperator, value: '{{Name}}' },
        ],
      },
    })),
  },
  { type: 'Redirect', options: { url: 'https://example.org' } },
  { type: 'Code', options: { content: 'console.log({{Name}})' } },
  { type: 'Code', options: { content: 'window.location = "/"' } },
  { type: 'Typebot link', options: { typebotId: 'other', groupId: 'g0' } },
  { type: 'Typebot link', options: { typebotId: 'current', groupId: 'g0' } },
  { type: 'Wait', options: { secondsToWaitFor: '{{Lead Score}}' } },
  {
    type: 'AB test',
    options: { aPercent: 30 },
    items: [
      { id: 'a', path: 'a', outgoingEdgeId: 'last' },
      { id: 'b', path: 'b', outgoingEdgeId: 'last' },
    ],
  },
  { type: 'webhook' },
  { type: 'Jump', options: { groupId: 'g1', blockId: 'b1' } },
  { type: 'Return' },
  { type: 'Loop', options: { iterations: 2 } },
  {
    type: 'Webhook',
    options: {
      webhook: {
        method: 'POST',
        url: 'https://api.example.org/{{Name}}',
        headers: [
          { key: 'Authorization', value: 'Bearer sk-abcdefghijklmnopqrstuvwxyz0123' },
        ],
        queryParams: [{ key: 'page', value: '1' }],
        body: '{ "name": "{{Name}}", "score": {{Lead Score}} }',
      },
      responseVariableMapping: [{ bodyPath: 'data.items[0].id', variableId: 'v1' }],
    },
  },
  { type: 'Zapier', options: {} },
  { type: 'Make.com', options: { webhook: { url: 'https://hook.example.org' } } },
  { type: 'Pabbly', options: { webhook: { url: 'https://pabbly.example.org' } } },
  {
    type: 'OpenAI',
    options: {
      task: 'Create chat completion',
      credentialsId: 'c',
      messages: [
        { role: 'system', content: 'Be kind to {{Name}}' },
        { role: 'user', content: '{{Name}}' },
        { role: 'Messages sequence ✨', content: { userMessagesVariableId: 'v3' } },
      ],
      responseMapping: [{ valueToExtract: 'Message content', variableId: 'v1' }],
    },
  },
  {
    type: 'anthropic',
    options: {
      action: 'Create Chat Message',
      messages: [{ role: 'Dialogue', dialogueVariableId: 'v3' }],
      responseMapping: [{ item: 'Message Content', variableId: 'v1' }],
    },
  },
  { type: 'Google Sheets', options: { action: 'Insert a row' } },
  { type: 'Email', options: { subject: 'Hi' } },
  { type: 'Chatwoot', options: {} },
  { type: 'Google Analytics', options: {} },
  { type: 'Pixel', options: {} },
  { type: 'cal-com', options: { link: 'x' } },
]

/** Version 1: groups are blocks, blocks are steps. */
const oldTypebot = {
  id: 't',
  name: 'Old bot',
  blocks: [
    {
      id: 'b0',
      title: 'Start',
      steps: [{ id: 's0', type: 'start', blockId: 'b0', edgeId: 'e0' }],
    },
    {
      id: 'b1',
      title: 'Ask',
      graphCoordinates: position,
      steps: [
        { id: 's1', type: 'text', content: { html: '<div>Your <b>name</b>?</div>' } },
        { id: 's2', type: 'text input', options: { variableId: 'v' } },
        { id: 's3', type: 'text', content: { plainText: 'Hi {{Name}}' } },
      ],
    },
  ],
  edges: [{ id: 'e0', from: { blockId: 'b0', stepId: 's0' }, to: { blockId: 'b1' } }],
  variables: [{ id: 'v', name: 'Name' }],
}

/** The first files had tables by id, and targets in the steps. */
const oldestTypebot = {
  name: 'Oldest bot',
  blocks: {
    byId: {
      b0: { id: 'b0', title: 'Start', stepIds: ['s0'] },
      b1: { id: 'b1', title: 'Age', stepIds: ['s1', 's2'], graphCoordinates: position },
      b2: { id: 'b2', title: 'Adult', stepIds: ['s3'] },
    },
    allIds: ['b0', 'b1', 'b2'],
  },
  steps: {
    byId: {
      s0: { id: 's0', type: 'start', target: { blockId: 'b1' } },
      s1: { id: 's1', type: 'number input', options: { variableId: 'v' } },
      s2: {
        id: 's2',
        type: 'Condition',
        trueTarget: { blockId: 'b2' },
        options: {
          logicalOperator: 'AND',
          comparisons: {
            byId: {
              c: { variableId: 'v', comparisonOperator: 'Greater than', value: '17' },
            },
          },
        },
      },
      s3: { id: 's3', type: 'text', content: { plainText: 'Adult' } },
    },
    allIds: ['s0', 's1', 's2', 's3'],
  },
  variables: { byId: { v: { id: 'v', name: 'Age' } }, allIds: ['v'] },
}

const variable = (node: string, name: string) => [node, name]

const difyNodes: [string, object, string?][] = [
  [
    'start',
    {
      type: 'start',
      variables: [
        {
          variable: 'topic',
          label: 'Topic',
          type: 'select',
          options: ['A', 'B'],
          required: true,
        },
        { variable: 'age', label: 'Age', type: 'number' },
      ],
    },
  ],
  [
    'classify',
    {
      type: 'question-classifier',
      query_variable_selector: variable('sys', 'query'),
      classes: [
        { id: '1', name: 'Orders' },
        { id: '2', name: 'Anything else' },
      ],
    },
  ],
  [
    'search',
    {
      type: 'knowledge-retrieval',
      query_variable_selector: variable('sys', 'query'),
      dataset_ids: ['d1', 'd2'],
      multiple_retrieval_config: { top_k: 3 },
    },
  ],
  [
    'llm',
    {
      type: 'llm',
      model: { provider: 'openai', name: 'gpt-4o' },
      prompt_template: [
        { role: 'system', text: 'Answer from {{#context#}} about {{#start.topic#}}' },
        { role: 'user', text: '{{#sys.query#}}' },
      ],
      context: { enabled: true, variable_selector: variable('search', 'result') },
      memory: { window: { enabled: true, size: 10 } },
    },
  ],
  [
    'structured',
    {
      type: 'llm',
      prompt_template: [{ role: 'system', text: 'Extract' }],
      structured_output_enabled: true,
      structured_output: {
        schema: { type: 'object', properties: { city: { type: 'string' } } },
      },
    },
  ],
  [
    'check',
    {
      type: 'if-else',
      cases: [
        {
          case_id: 'yes',
          logical_operator: 'and',
          conditions: [
            {
              variable_selector: variable('sys', 'query'),
              comparison_operator: 'contains',
              value: 'hi',
            },
            {
              variable_selector: ['structured', 'structured_output', 'city'],
              comparison_operator: 'not empty',
            },
          ],
        },
      ],
    },
  ],
  [
    'js',
    {
      type: 'code',
      code_language: 'javascript',
      code: 'function main({ text }) { return { length: text.length } }',
      variables: [{ variable: 'text', value_selector: variable('llm', 'text') }],
      outputs: { length: { type: 'number' } },
    },
  ],
  [
    'python',
    {
      type: 'code',
      code_language: 'python3',
      code: 'def main(x):\n  return {"y": x}',
      variables: [],
      outputs: { y: { type: 'string' } },
    },
  ],
  [
    'template',
    {
      type: 'template-transform',
      template: 'Hi {{ name | upper }}{# note #}!',
      variables: [{ variable: 'name', value_selector: variable('llm', 'text') }],
    },
  ],
  [
    'jinja',
    {
      type: 'template-transform',
      template: '{% for x in list %}{{ x }}{% endfor %}',
      variables: [],
    },
  ],
  [
    'http',
    {
      type: 'http-request',
      method: 'post',
      url: 'https://api.example.org/{{#start.age#}}',
      headers: 'Accept: application/json\nX-Api-Key: 12345678',
      params: '',
      authorization: {
        type: 'api-key',
        config: { type: 'bearer', api_key: '{{#env.TOKEN#}}' },
      },
      body: { type: 'json', data: [{ type: 'text', value: '{"q": "{{#sys.query#}}"}' }] },
    },
  ],
  [
    'extract',
    {
      type: 'parameter-extractor',
      query: variable('sys', 'query'),
      instruction: 'Find',
      parameters: [
        { name: 'order', type: 'string', required: true },
        { name: 'kind', type: 'select', options: ['x', 'y'] },
      ],
    },
  ],
  [
    'assign',
    {
      type: 'assigner',
      version: '2',
      items: [
        {
          variable_selector: variable('conversation', 'count'),
          operation: '+=',
          input_type: 'constant',
          value: 1,
        },
      ],
    },
  ],
  [
    'assign1',
    {
      type: 'variable-assigner',
      assigned_variable_selector: variable('conversation', 'last'),
      input_variable_selector: variable('sys', 'query'),
      write_mode: 'over-write',
    },
  ],
  ['side', { type: 'answer', answer: 'One moment' }, ''],
  [
    'merge',
    {
      type: 'variable-aggregator',
      variables: [variable('llm', 'text'), variable('js', 'length')],
    },
  ],
  [
    'list',
    {
      type: 'list-operator',
      variable: variable('search', 'result'),
      filter_by: {
        enabled: true,
        conditions: [{ key: 'content', comparison_operator: 'contains', value: 'a' }],
      },
      order_by: { enabled: true, key: 'score', value: 'desc' },
      limit: { enabled: true, size: 2 },
    },
  ],
  [
    'each',
    {
      type: 'iteration',
      iterator_selector: variable('search', 'result'),
      output_selector: variable('inner', 'output'),
      start_node_id: 'eachstart',
    },
  ],
  ['eachstart', { type: 'iteration-start' }, 'each'],
  [
    'inner',
    {
      type: 'template-transform',
      template: '{{ item.content }}',
      variables: [{ variable: 'item', value_selector: variable('each', 'item') }],
    },
    'each',
  ],
  [
    'repeat',
    {
      type: 'loop',
      loop_count: 3,
      loop_variables: [{ label: 'n', value_type: 'constant', value: '0' }],
      break_conditions: [
        {
          variable_selector: variable('repeat', 'n'),
          comparison_operator: '≥',
          value: '2',
        },
      ],
      logical_operator: 'and',
    },
  ],
  ['repeatstart', { type: 'loop-start' }, 'repeat'],
  ['leave', { type: 'loop-end' }, 'repeat'],
  [
    'agent',
    {
      type: 'agent',
      agent_parameters: {
        instruction: { type: 'constant', value: 'Help' },
        query: { type: 'constant', value: '{{#sys.query#}}' },
        tools: { value: [{ tool_name: 'google' }] },
      },
    },
  ],
  [
    'human',
    {
      type: 'human-input',
      form_content: 'Send it?',
      user_actions: [{ id: 'ok', title: 'Send' }],
    },
  ],
  ['tool', { type: 'tool', provider_name: 'slack', tool_name: 'post' }],
  [
    'document',
    { type: 'document-extractor', variable_selector: variable('sys', 'files') },
  ],
  ['other', { type: 'trigger-webhook' }],
  ['answer', { type: 'answer', answer: 'You asked {{#sys.query#}}: {{#merge.output#}}' }],
  [
    'end',
    {
      type: 'end',
      outputs: [{ variable: 'x', value_selector: variable('merge', 'output') }],
    },
  ],
]

function difyFile() {
  const outside = difyNodes
    .filter(([, , parent]) => parent === undefined)
    .map(([id]) => id)
  const edge = (source: string, target: string, sourceHandle = 'source') => ({
    id: `${source}-${target}-${sourceHandle}`,
    source,
    target,
    sourceHandle,
  })
  const handles: Record<string, string> = { classify: '2', check: 'false', human: 'ok' }
  return {
    app: { name: 'Everything', mode: 'advanced-chat' },
    kind: 'app',
    version: '0.5.0',
    workflow: {
      conversation_variables: [
        { name: 'count', value_type: 'number', value: 0 },
        { name: 'last', value_type: 'string', value: '' },
      ],
      environment_variables: [
        { name: 'TOKEN', value: 'very-secret-value', value_type: 'secret' },
        { name: 'MODE', value: 'test', value_type: 'string' },
      ],
      features: {
        opening_statement: 'Welcome!',
        suggested_questions: ['Where is my order?'],
      },
      graph: {
        nodes: [
          ...difyNodes.map(([id, data, parent]) => ({
            id,
            data: { title: `Node ${id}`, ...data },
            position,
            ...(parent && { parentId: parent }),
          })),
          {
            id: 'note',
            type: 'custom-note',
            data: { type: '', text: '{"root":{"children":[{"text":"Remember"}]}}' },
          },
        ],
        edges: [
          ...outside
            .slice(1)
            .map((id, index) => edge(outside[index]!, id, handles[outside[index]!])),
          edge('classify', 'answer', '1'),
          edge('check', 'answer', 'yes'),
          // Parallel branches, which meet at "jinja".
          edge('python', 'side'),
          edge('side', 'jinja'),
          edge('eachstart', 'inner'),
          edge('repeatstart', 'leave'),
        ],
      },
    },
  }
}

const difyAgent = {
  app: { name: 'Assistant', mode: 'agent-chat' },
  kind: 'app',
  version: '0.1.2',
  model_config: {
    pre_prompt: 'You help {{name}} with {{unknown}}.',
    opening_statement: 'Hello',
    user_input_form: [
      { 'text-input': { label: 'Your name', variable: 'name', required: true } },
    ],
    agent_mode: {
      enabled: true,
      tools: [
        { tool_name: 'current_time', enabled: true },
        { dataset: { id: 'd1', enabled: true } },
      ],
    },
    model: { name: 'gpt-4' },
  },
}

const mention = (name: string) =>
  `<p><span class="variable" data-id="${name}">{{ ${name} }}</span> </p>`
const flowiseNode = (id: string, name: string, inputs: object, more: object = {}) => ({
  id,
  position,
  data: { id, name, label: `Label ${id}`, category: 'Agent Flows', inputs },
  ...more,
})

const flowiseNodes = [
  flowiseNode('start', 'startAgentflow', {
    startInputType: 'formInput',
    formTitle: 'Form',
    formInputTypes: [
      { type: 'string', label: 'Subject', name: 'subject' },
      { type: 'options', label: 'Kind', name: 'kind', addOptions: [{ option: 'a' }] },
    ],
    startState: [{ key: 'next', value: '' }],
  }),
  flowiseNode('decide', 'conditionAgentAgentflow', {
    conditionAgentInstructions: '<p>Choose</p>',
    conditionAgentInput: mention('question'),
    conditionAgentScenarios: [{ scenario: 'AI' }, { scenario: 'Other' }],
  }),
  flowiseNode('llm', 'llmAgentflow', {
    llmMessages: [{ role: 'system', content: '<p>Be <b>brief</b></p>' }],
    llmUserMessage: mention('$form.subject'),
    llmEnableMemory: true,
    llmStructuredOutput: [
      { key: 'subject', type: 'string', description: 'Of the mail' },
      { key: 'kind', type: 'enum', enumValues: 'a, b' },
    ],
    llmUpdateState: [{ key: 'next', value: mention('output.kind') }],
  }),
  flowiseNode('agent', 'agentAgentflow', {
    agentMessages: [],
    agentKnowledgeDocumentStores: [{ documentStore: 'id:Papers' }],
    agentTools: [{ agentSelectedTool: 'calculator' }],
    agentEnableMemory: true,
  }),
  flowiseNode('find', 'retrieverAgentflow', {
    retrieverKnowledgeDocumentStores: [{ documentStore: 'id:Papers' }],
    retrieverQuery: mention('$flow.state.next'),
    outputFormat: 'text',
  }),
  flowiseNode('if', 'conditionAgentflow', {
    conditions: [
      {
        type: 'string',
        value1: mention('$flow.state.next'),
        operation: 'equal',
        value2: '<p>a</p>',
      },
    ],
  }),
  flowiseNode('each', 'iterationAgentflow', { iterationInput: '<p>[1, 2]</p>' }),
  flowiseNode(
    'inner',
    'llmAgentflow',
    { llmUserMessage: '<p>{{$iteration.item}}</p>' },
    { parentNode: 'each' },
  ),
  flowiseNode('code', 'customFunctionAgentflow', {
    customFunctionInputVariables: [{ variableName: 'x', variableValue: mention('llm') }],
    customFunctionJavascriptFunction: 'return $x.length + $flow.state.next.length',
  }),
  flowiseNode('require', 'customFunctionAgentflow', {
    customFunctionJavascriptFunction: "const PASSWORD = 'testpwd'\nreturn require('pg')",
  }),
  flowiseNode('http', 'httpAgentflow', {
    method: 'POST',
    url: 'https://api.example.org',
    headers: [{ key: 'api-key', value: 'abcdef123456' }],
    bodyType: 'json',
    body: '{"q": "{{ question }}"}',
  }),
  flowiseNode('human', 'humanInputAgentflow', {
    humanInputDescriptionType: 'fixed',
    humanInputDescription: '<p>Sure?</p>',
    humanInputEnableFeedback: true,
  }),
  flowiseNode('tool', 'toolAgentflow', { toolAgentflowSelectedTool: 'gmail' }),
  flowiseNode('other', 'executeFlowAgentflow', { executeFlowSelectedFlow: 'id' }),
  flowiseNode('reply', 'directReplyAgentflow', { directReplyMessage: mention('agent') }),
  flowiseNode('loop', 'loopAgentflow', {
    loopBackToNode: 'llm-Label llm',
    maxLoopCount: 2,
  }),
  flowiseNode('note', 'stickyNoteAgentflow', { note: 'Remember' }),
]

const flowiseOrder = [
  'start',
  'decide',
  'llm',
  'agent',
  'find',
  'if',
  'each',
  'code',
  'require',
  'http',
  'human',
  'tool',
  'other',
  'reply',
]
const flowiseEdge = (source: string, target: string, output = source) => ({
  source,
  target,
  sourceHandle: `${source}-output-${output}`,
})
const flowiseOutputs: Record<string, string> = { decide: '0', if: '1', human: '0' }

const agentflow = {
  nodes: flowiseNodes,
  edges: [
    ...flowiseOrder
      .slice(1)
      .map((id, index) =>
        flowiseEdge(flowiseOrder[index]!, id, flowiseOutputs[flowiseOrder[index]!]),
      ),
    flowiseEdge('decide', 'reply', '1'),
    flowiseEdge('if', 'reply', '0'),
    flowiseEdge('human', 'loop', '1'),
  ],
}

const part = (id: string, name: string, category: string, inputs: object = {}) => ({
  id,
  position,
  data: { id, name, category, label: name, inputs },
})
const chatflow = {
  nodes: [
    part('chain', 'llmChain', 'Chains', { prompt: '{{prompt.data.instance}}' }),
    part('prompt', 'promptTemplate', 'Prompts', {
      template: 'Write about {topic} and {missing}',
      promptValues: '{"topic":"{{question}}"}',
    }),
    part('parser', 'csvOutputParser', 'Output Parsers'),
    part('second', 'promptTemplate', 'Prompts', {
      template: 'Improve {text}',
      promptValues: '{"text":"{{chain.data.instance}}"}',
    }),
    part('chain2', 'llmChain', 'Chains'),
    part('qa', 'conversationalRetrievalQAChain', 'Chains', {
      responsePrompt: 'Use {context}',
    }),
    part('store', 'faiss', 'Vector Stores'),
    part('file', 'textFile', 'Document Loaders', { fileName: 'prices.txt' }),
    part('splitter', 'recursiveCharacterTextSplitter', 'Text Splitters'),
    part('embed', 'openAIEmbeddings', 'Embeddings'),
    part('model', 'chatOpenAI', 'Chat Models'),
    part('agent', 'toolAgent', 'Agents', { systemMessage: 'You help' }),
    part('memory', 'bufferMemory', 'Memory'),
    part('calculator', 'calculator', 'Tools'),
    part('retriever', 'retrieverTool', 'Tools'),
    part('moderation', 'inputModerationSimple', 'Moderation'),
    part('replicate', 'replicate', 'LLMs'),
    part('found', 'vectorRetriever', 'Retrievers'),
    part('synthesizer', 'compactRefine', 'Response Synthesizer'),
    part('engine', 'simpleChatEngine', 'Engine'),
    part('supervisor', 'supervisor', 'Multi Agents', {
      supervisorPrompt: 'Lead {team_members}',
    }),
    part('worker', 'worker', 'Multi Agents', { workerPrompt: 'Write code' }),
    part('utility', 'setVariable', 'Utilities'),
    part('tools', 'seqToolNode', 'Sequential Agents'),
    part('note', 'stickyNote', 'Utilities', { note: 'A note' }),
  ],
  edges: [
    ['prompt', 'chain'],
    ['model', 'chain'],
    ['parser', 'chain'],
    ['chain', 'second'],
    ['second', 'chain2'],
    ['chain2', 'qa'],
    ['file', 'store'],
    ['splitter', 'file'],
    ['embed', 'store'],
    ['store', 'qa'],
    ['model', 'qa'],
    ['qa', 'agent'],
    ['memory', 'agent'],
    ['calculator', 'agent'],
    ['retriever', 'agent'],
    ['store', 'retriever'],
    ['moderation', 'agent'],
  ].map(([source, target]) => ({
    source,
    target,
    sourceHandle: `${source}-output-${source}-X`,
  })),
}

const sequential = {
  nodes: [
    part('start', 'seqStart', 'Sequential Agents'),
    part('state', 'seqState', 'Sequential Agents', {
      stateMemoryUI: '[{"key":"next","defaultValue":""}]',
    }),
    part('writer', 'seqLLMNode', 'Sequential Agents', {
      llmNodeName: 'Writer',
      systemMessagePrompt: 'Write about {t}',
      promptValues: '{"t":"{{question}}"}',
    }),
    part('if', 'seqCondition', 'Sequential Agents', {
      conditionUI:
        '[{"variable":"$flow.state.next","operation":"Is","value":"x","output":"Again"}]',
    }),
    part('loop', 'seqLoop', 'Sequential Agents', { loopToName: 'Writer' }),
    part('agent', 'seqAgent', 'Sequential Agents', {
      agentName: 'Grader',
      tools: ['{{calc.data.instance}}'],
    }),
    part('end', 'seqEnd', 'Sequential Agents'),
    part('model', 'chatOpenAI', 'Chat Models'),
  ],
  edges: [
    flowiseEdge('start', 'writer'),
    flowiseEdge('writer', 'if'),
    flowiseEdge('if', 'loop', 'Again-Condition'),
    flowiseEdge('if', 'agent', 'End-Condition'),
    flowiseEdge('agent', 'end'),
    flowiseEdge('model', 'start'),
  ],
}

/** A tar archive, packed. */
export function toTarball(files: Record<string, string>): Uint8Array {
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const content = Buffer.from(text)
    const header = Buffer.alloc(512)
    header.write(path, 0)
    header.write(content.length.toString(8).padStart(11, '0'), 124)
    header.write('0', 156)
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  })
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

/** A zip archive without checksums, which readers of directories do not need. */
export function toZip(files: Record<string, string>): Uint8Array {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [path, text] of Object.entries(files)) {
    const [name, content] = [Buffer.from(path), deflateRawSync(Buffer.from(text))]
    const header = (signature: number, length: number) => {
      const bytes = Buffer.alloc(length)
      bytes.writeUInt32LE(signature, 0)
      return bytes
    }
    const local = header(0x04034b50, 30)
    local.writeUInt16LE(name.length, 26)
    const entry = header(0x02014b50, 46)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(content.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    bodies.push(local, name, content)
    directory.push(entry, name)
    at += 30 + name.length + content.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, ...directory, end])
}

const element = (id: string, form: object) => ({ id, formData: form })

export const botpressFiles: Record<string, string> = Object.fromEntries(
  Object.entries({
    'bot.config.json': {
      id: 'rover',
      name: 'Rover',
      defaultLanguage: 'en',
      languages: ['en', 'de'],
    },
    'flows/main.flow.json': {
      startNode: 'entry',
      nodes: [
        {
          id: 'n1',
          name: 'entry',
          onEnter: [
            'builtin/setVariable {"type":"session","name":"greeted","value":"true"}',
            'say #!builtin_text-hi',
            'say #!builtin_card-c',
            'builtin/wait {"delay":"500"}',
            'analytics/track {"a":1}',
            'save {"date":"{{session.slots.day.value}}"}',
            'mail',
            'missing',
          ],
          onReceive: null,
          next: [
            { condition: 'session.greeted === "true" && temp.x > 1', node: 'choose' },
            { condition: 'bp.users.find()', node: 'choose' },
            { condition: 'true', node: 'detect' },
          ],
        },
        {
          id: 'n2',
          name: 'detect',
          onEnter: ['say #!builtin_text-ask'],
          onReceive: [],
          next: [
            {
              condition: "event.nlu.intent.name === 'pictures'",
              node: 'pictures.flow.json',
            },
            { condition: "event.nlu.intent.name === 'bye'", node: 'END' },
            { condition: 'true', node: 'choose' },
          ],
        },
        {
          id: 'n3',
          name: 'choose',
          type: 'skill-call',
          skill: 'choice',
          flow: 'skills/choice-1.flow.json',
          next: [
            {
              condition: 'temp[\'skill-choice-ret-r1\'] == "yes"',
              node: 'pictures.flow.json',
            },
            { condition: 'true', node: '#' },
          ],
        },
        {
          id: 'n4',
          name: 'call',
          type: 'skill-call',
          skill: 'CallAPI',
          flow: 'skills/CallAPI-1.flow.json',
          next: [{ condition: 'temp.valid', node: 'other' }],
        },
        {
          id: 'n5',
          name: 'other',
          type: 'skill-call',
          skill: 'AuthGate',
          flow: 'skills/auth.flow.json',
          next: [],
        },
      ],
    },
    'flows/main.ui.json': { nodes: [{ id: 'n1', position: { x: 5, y: 85 } }] },
    'flows/pictures.flow.json': {
      startNode: 'day',
      nodes: [
        {
          id: 's',
          name: 'day',
          type: 'skill-call',
          skill: 'Slot',
          flow: 'skills/Slot-1.flow.json',
          next: [{ condition: 'temp.extracted == "true"', node: '#' }],
        },
      ],
    },
    'flows/error.flow.json': {
      startNode: 'sorry',
      nodes: [
        {
          id: 'e',
          name: 'sorry',
          onEnter: ['say #!builtin_text-hi'],
          onReceive: null,
          next: [],
        },
      ],
    },
    'flows/skills/choice-1.flow.json': {
      startNode: 'entry',
      skillData: {
        randomId: 'r1',
        contentId: 'builtin_single-choice-1',
        keywords: { yes: ['yes', 'sure'] },
        config: { nbMaxRetries: 2 },
      },
      nodes: [],
    },
    'flows/skills/Slot-1.flow.json': {
      startNode: 'x',
      skillData: {
        slotName: 'day',
        entities: ['time'],
        contentElement: 'builtin_text-ask',
        retryAttempts: 1,
      },
      nodes: [],
    },
    'flows/skills/CallAPI-1.flow.json': {
      startNode: 'x',
      skillData: {
        url: 'https://api.example.org/{{session.greeted}}',
        method: 'get',
        headers: { 'x-token': 'abcdef' },
        memory: 'session',
        variable: 'response',
      },
      nodes: [],
    },
    'flows/skills/auth.flow.json': {
      startNode: 'x',
      nodes: [
        {
          id: 'a',
          name: 'x',
          onEnter: ['say #!builtin_text-hi'],
          onReceive: null,
          next: [{ condition: 'true', node: '#' }],
        },
      ],
    },
    'content-elements/builtin_text.json': [
      element('builtin_text-hi', {
        text$en: 'Hi {{user.name}}',
        text$de: 'Hallo {{user.name}}',
      }),
      element('builtin_text-ask', { text$en: 'Which day?' }),
    ],
    'content-elements/builtin_single-choice.json': [
      element('builtin_single-choice-1', {
        text$en: 'Pictures?',
        text$de: 'Bilder?',
        choices$en: [
          { title: 'Yes', value: 'yes' },
          { title: 'No', value: 'no' },
        ],
        choices$de: [
          { title: 'Ja', value: 'yes' },
          { title: 'Nein', value: 'no' },
        ],
      }),
    ],
    'content-elements/builtin_card.json': [
      element('builtin_card-c', {
        title$en: 'Card',
        actions$en: [{ action: 'Open URL', title: 'Open', url: 'https://example.org' }],
      }),
    ],
    'intents/pictures.json': {
      name: 'pictures',
      utterances: { en: ['Show [2018](day) pictures', 'Rover images'] },
    },
    'intents/unused.json': { name: 'unused', utterances: { en: ['x'] } },
    'entities/rover.json': { name: 'rover', type: 'list' },
    'qna/q1.json': {
      id: 'q1',
      data: {
        enabled: true,
        questions: { en: ['What rovers are there?'] },
        answers: { en: ['Seven.'] },
      },
    },
  }).map(([path, value]): [string, string] => [path, JSON.stringify(value)]),
)
botpressFiles['actions/save.js'] =
  "const axios = require('axios')\ntemp.saved = args.date"
botpressFiles['actions/mail.js'] = 'await bp.events.replyToEvent(event, [])'
botpressFiles['hooks/after_incoming.js'] = 'return'

const step = (type: string, data: object, next?: string) => ({
  type,
  data: {
    ...data,
    portsV2: {
      builtIn: { ...(next && { next: { type: 'next', target: next } }) },
      dynamic: [],
      byKey: {},
      ...(data as { portsV2?: object }).portsV2,
    },
  },
})
const slate = (text: string) => [
  {
    children: [
      { text },
      { type: 'variable', id: 'name', name: 'name', children: [{ text: '' }] },
    ],
  },
]
const comparison = (type: string) => ({
  type: 'and',
  value: [
    {
      type,
      value: [
        { type: 'variable', value: 'name' },
        { type: 'value', value: '3' },
      ],
    },
  ],
})
const voiceflowSteps: [string, object][] = [
  ['text', { texts: [{ content: slate('Hello ') }] }],
  [
    'text',
    {
      texts: [
        { content: [{ children: [{ text: 'One' }] }] },
        { content: [{ children: [{ text: 'Two' }] }] },
      ],
    },
  ],
  [
    'speak',
    { dialogs: [{ content: 'Hi <break/>{name}' }, { url: 'https://example.org/a.mp3' }] },
  ],
  ['message', { messageID: 'm1' }],
  ['image', { image: 'https://example.org/a.png' }],
  ['visual', { image: 'https://example.org/b.png' }],
  ['stream', { src: 'https://example.org/a.mp3' }],
  ['url', { url: 'https://example.org' }],
  ['card', { title: 'Card', text: 'Text' }],
  [
    'cardV2',
    {
      title: 'Card',
      description: slate('Text '),
      buttons: [{ id: 'k1', name: 'Buy' }],
      portsV2: { byKey: { k1: { target: 'b0' } } },
    },
  ],
  [
    'carousel',
    { cards: [{ title: 'A', imageUrl: 'https://example.org/a.png', buttons: [] }] },
  ],
  [
    'buttons',
    {
      buttons: [
        { id: 'k2', name: 'Yes {name}' },
        { id: 'k3', name: 'No' },
      ],
      portsV2: { byKey: { k2: { target: 'b0' } }, builtIn: { else: { target: 'b1' } } },
    },
  ],
  [
    'interaction',
    {
      choices: [{ intent: 'i1' }],
      portsV2: { dynamic: [{ target: 'b0' }], builtIn: { else: { target: 'b1' } } },
    },
  ],
  ['prompt', {}],
  ['capture', { variable: 'name' }],
  ['captureV2', { capture: { type: 'query', variable: 'name' } }],
  [
    'captureV2',
    {
      capture: {
        type: 'intent',
        intent: {
          slots: [
            { id: 's1', dialog: { prompt: [{ text: 'Your e-mail?' }] } },
            { id: 's2', dialog: { prompt: [] } },
          ],
        },
      },
    },
  ],
  ['ai_capture', { entities: ['s1'], rules: ['Be exact'] }],
  [
    'set',
    {
      sets: [
        {
          variable: 'count',
          expression: {
            type: 'plus',
            value: [
              { type: 'variable', value: 'count' },
              { type: 'value', value: '1' },
            ],
          },
        },
      ],
    },
  ],
  [
    'setV2',
    {
      sets: [
        { type: 'advance', variable: 'count', expression: '{count} + 1' },
        { type: 'value', variable: 'name', expression: 'Ana' },
      ],
    },
  ],
  ['ai_set', { sets: [{ variable: 'name', prompt: 'Guess {name}' }] }],
  [
    'if',
    {
      expressions: [
        {
          type: 'equals',
          value: [
            { type: 'variable', value: 'name' },
            { type: 'value', value: 'x' },
          ],
        },
      ],
      portsV2: { dynamic: [{ target: 'b0' }] },
    },
  ],
  [
    'ifV2',
    {
      expressions: [
        comparison('greater'),
        comparison('contains'),
        comparison('is_empty'),
      ],
      portsV2: {
        dynamic: [{ target: 'b0' }, { target: 'b1' }, { target: 'b2' }],
        builtIn: { else: { target: 'b1' } },
      },
    },
  ],
  ['random', { paths: 2, portsV2: { dynamic: [{ target: 'b0' }, { target: 'b1' }] } }],
  [
    'randomV2',
    { namedPaths: [{ label: 'a' }], portsV2: { dynamic: [{ target: 'b0' }] } },
  ],
  [
    'code',
    {
      code: 'count = count + 1\nreturn "more"',
      paths: [{ key: 'p1', label: 'more' }],
      portsV2: { byKey: { p1: { target: 'b1' } } },
    },
  ],
  ['code', { code: 'const r = await fetch("x")' }],
  [
    'api',
    {
      url: 'https://api.example.org/{name}',
      method: 'POST',
      headers: [{ key: 'x-api-key', val: 'abcdef1' }],
      content: '{"a": "{name}"}',
      bodyType: 'rawInput',
      mappings: [{ path: 'response.items[0]', var: 'name' }],
      portsV2: { builtIn: { fail: { target: 'b1' } } },
    },
  ],
  ['integrations', { selectedIntegration: 'Zapier' }],
  ['generative', { prompt: 'Answer {name}', system: 'Be kind', source: 'default' }],
  ['generative', { prompt: '{last_utterance}', source: 'knowledge_base' }],
  [
    'flow',
    { diagramID: 'd2', variableMap: { inputs: [['name', 'count']], outputs: [] } },
  ],
  ['component', { diagramID: 'd2' }],
  ['goToNode', { nodeID: 'b0' }],
  ['goToDomain', {}],
  ['intent', { intent: 'i1' }],
  ['command', { intent: 'i1' }],
  ['exit', {}],
  ...[
    'trace',
    'channel_action',
    'custom_block_pointer',
    'directive',
    'google_sheets',
    'zapier',
    'capture-v9',
  ].map((type): [string, object] => [type, {}]),
]

const voiceflow = {
  _version: '7',
  project: { name: 'Coffee' },
  version: {
    rootDiagramID: 'd1',
    variables: ['name', 'count'],
    platformData: {
      intents: [
        { key: 'i1', name: 'order', inputs: [{ text: 'I want {{[drink].s2}}' }] },
      ],
      slots: [
        { key: 's1', name: 'mail', type: { value: 'VF.EMAIL' } },
        {
          key: 's2',
          name: 'drink',
          type: { value: 'Custom' },
          inputs: ['tea, chai', 'coffee'],
        },
      ],
    },
  },
  responses: [{ id: 'm1', name: 'Greeting' }],
  responseDiscriminators: [{ id: 'r1', responseID: 'm1' }],
  responseVariants: [
    { id: 'v1', discriminatorID: 'r1', data: { text: slate('Welcome ') } },
  ],
  diagrams: {
    d2: {
      name: 'Component',
      variables: ['inner'],
      nodes: {
        c0: {
          nodeID: 'c0',
          type: 'block',
          coords: [1, 2],
          data: { name: 'Inside', steps: ['cs'] },
        },
        cs: step('text', { texts: [{ content: slate('Inside ') }] }),
      },
    },
    d1: {
      name: 'ROOT',
      nodes: {
        start: step('start', {}, 'b0'),
        ...Object.fromEntries(
          voiceflowSteps.flatMap(([type, data], index) => [
            [
              `b${index}`,
              {
                nodeID: `b${index}`,
                type: 'block',
                coords: [index * 10.5, 0],
                data: { name: `Block ${index}`, steps: [`s${index}`] },
              },
            ],
            [
              `s${index}`,
              step(
                type,
                data,
                index + 1 < voiceflowSteps.length ? `b${index + 1}` : undefined,
              ),
            ],
          ]),
        ),
      },
    },
  },
}

/** Before 2022, a step had one list of ports. */
const voiceflowOld = {
  project: { name: 'Old' },
  version: { rootDiagramID: 'd', variables: ['age'] },
  diagrams: {
    d: {
      name: 'ROOT',
      nodes: {
        start: { type: 'start', data: { ports: [{ type: 'next', target: 'b' }] } },
        b: { type: 'block', data: { name: 'Ask', steps: ['s1', 's2', 's3'] } },
        s1: {
          type: 'speak',
          data: {
            dialogs: [{ content: 'How old are you?' }],
            ports: [{ type: 'next', target: null }],
          },
        },
        s2: {
          type: 'capture',
          data: { variable: 'age', ports: [{ type: 'next', target: null }] },
        },
        s3: {
          type: 'if',
          data: {
            expressions: [
              {
                type: 'greater',
                value: [
                  { type: 'variable', value: 'age' },
                  { type: 'value', value: '17' },
                ],
              },
            ],
            ports: [
              { type: 'else', target: null },
              { type: '', target: 'b' },
            ],
          },
        },
      },
    },
  },
}

const agentsTypeScript = `import { fileSearchTool, hostedMcpTool, webSearchTool } from "@openai/agents";
import { codeInterpreterTool } from "@openai/agents";
import { Agent, Runner, withTrace, tool } from "@openai/agents";
import { z } from "zod";
import { runGuardrails } from "@openai/guardrails";

// Tool definitions
const fileSearch = fileSearchTool(["vs_abc"])
const webSearch = webSearchTool({ searchContextSize: "medium" })
const codeInterpreter = codeInterpreterTool({ container: { type: "auto" } })
const mcp = hostedMcpTool({ serverLabel: "shop", authorization: "sk-abcdefghijklmnopqrstuvwxyz0123" })
const weather = tool({ name: "weather" })
const ClassifySchema = z.object({ category: z.enum(["return", "info"]), amount: z.number() });
const classify = new Agent({
  name: "Classify {it}",
  instructions: "Choose a category; never run process.exit()",
  model: "gpt-4.1",
  outputType: ClassifySchema,
});
const returns = new Agent({
  name: "Returns",
  instructions: \`Help with "\${workflowInputAsText}" and \${stateCity}\`,
  tools: [fileSearch, webSearch],
});
const other = new Agent({ name: "Other", instructions: "Say hello", handoffs: [returns] });
const approvalRequest = (message: string) => { return true; };
type WorkflowInput = { input_as_text: string };

export const runWorkflow = async (workflow: WorkflowInput) => {
  return await withTrace("Shop", async () => {
    const state = { city: "Bern", tries: 0 };
    const runner = new Runner({ traceMetadata: { __trace_source__: "agent-builder" } });
    const { hasTripwire: guardrailsHasTripwire } = await runGuardrails(workflow.input_as_text);
    if (guardrailsHasTripwire) {
      return { blocked: true };
    } else {
      const classifyResultTemp = await runner.run(classify, [...conversationHistory]);
      if (!classifyResultTemp.finalOutput) {
        throw new Error("Agent result is undefined");
      }
      const classifyResult = {
        output_text: JSON.stringify(classifyResultTemp.finalOutput),
        output_parsed: classifyResultTemp.finalOutput
      };
      if (classifyResult.output_parsed.category == "return" && state.tries < 3) {
        state.tries = state.tries + 1;
        const filesearchResult = (await client.vectorStores.search("vs_abc", {
          query: \`\${workflow.input_as_text}\`,
          max_num_results: 10
        })).data.map((result) => ({ id: result.file_id }));
        const approvalMessage = "Return it?";
        if (approvalRequest(approvalMessage)) {
          const returnsResultTemp = await runner.run(returns, []);
        } else {
          return { done: true };
        }
      } else if (classifyResult.output_parsed.category == "info") {
        while (state.tries < 2) {
          const againResultTemp = await runner.run(returns, []);
          state.tries = state.tries + 1;
        }
        const transformResult = { city: state.city };
      } else {
        const otherResultTemp = await runner.run(other, []);
      }
    }
  });
}
`

const agentsPython = `from agents import Agent, ModelSettings, Runner, RunConfig, trace
from pydantic import BaseModel

class ClassifySchema(BaseModel):
  category: str
  amount: float

classify = Agent(
  name="Classify",
  instructions="""Choose a "category" """,
  output_type=ClassifySchema,
)
helper = Agent(name="Helper", instructions=f"Help")

class WorkflowInput(BaseModel):
  input_as_text: str

async def run_workflow(workflow_input: WorkflowInput):
  with trace("Python shop"):
    state = { "city": None }
    workflow = workflow_input.model_dump()
    classify_result_temp = await Runner.run(
      classify,
      input=[*conversation_history],
    )
    classify_result = {
      "output_text": classify_result_temp.final_output.json(),
      "output_parsed": classify_result_temp.final_output.model_dump()
    }
    if classify_result["output_parsed"]["category"] == "a" and not state["city"]:
      helper_result_temp = await Runner.run(helper, input=[])
    elif state["city"] == 'Bern':
      state["city"] = "Basel"
    else:
      return classify_result
`

/** Archives may have a folder around the bot. */
const prefixed = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`bot/${path}`, text]))

/** By name of the example. */
export const importExamples: Record<string, ExampleExport> = {
  typebot: toJsonFile('typebot-export.json', typebotFile(allBlocks)),
  typebotOld: toJsonFile('old.json', oldTypebot),
  typebotOldest: toJsonFile('oldest.json', oldestTypebot),
  dify: { fileName: 'chatflow.yml', bytes: toBytes(stringify(difyFile())) },
  difyAgent: { fileName: 'assistant.yml', bytes: toBytes(stringify(difyAgent)) },
  flowise: toJsonFile('Agents.json', agentflow),
  flowiseChatflow: toJsonFile('Chatflow.json', chatflow),
  flowiseSequential: toJsonFile('Sequential.json', sequential),
  voiceflow: toJsonFile('coffee.vf', voiceflow),
  voiceflowOld: toJsonFile('old.vf', voiceflowOld),
  botpress: { fileName: 'rover.bpa', bytes: toTarball(botpressFiles) },
  botpressZip: { fileName: 'rover.zip', bytes: toZip(prefixed(botpressFiles)) },
  agentsTypeScript: { fileName: 'shop.ts', bytes: toBytes(agentsTypeScript) },
  agentsPython: { fileName: 'shop.py', bytes: toBytes(agentsPython) },
}
