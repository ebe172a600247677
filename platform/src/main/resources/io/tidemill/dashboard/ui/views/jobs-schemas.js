// Schemas of the payloads of each task (docs/ai.md), and samples.

const model = {
  model: { type: 'string', description: 'Another model of the same server.' },
  temperature: { type: 'number', minimum: 0, maximum: 2 },
  max_tokens: { type: 'integer', minimum: 1, description: 'The answer is cut there.' },
};

const text = (description, more = {}) => ({ type: 'string', maxLength: 200_000, description, ...more });

export const TASKS = [
  { name: 'tool', about: 'Calls one of the tools that workers offer.' },
  { name: 'rag', about: 'Answers a question from the pages that were crawled, and says where it stands.' },
  { name: 'embed', about: 'Makes vectors of texts.' },
  { name: 'chat', about: 'Asks the language model.' },
  { name: 'plan', about: 'Has the language model plan a workflow.' },
  { name: 'code', about: 'Has the language model write files.' },
];

export const SCHEMAS = {
  rag: { type: 'object', required: ['question'], additionalProperties: false, properties: {
    question: { type: 'string', minLength: 1, maxLength: 1000, description: 'At most 1000 characters.' },
    site: { type: 'string', description: 'Only pages of this site, such as example.org.' },
    lang: { type: 'string', description: 'Only pages in this language, such as en.' },
    type: { type: 'string', description: 'Only pages of this type.' },
    passages: { type: 'integer', minimum: 1, maximum: 50, description: 'How many passages are read.' }, ...model } },
  embed: { type: 'object', additionalProperties: false, oneOf: [{ required: ['text'] }, { required: ['texts'] }], properties: {
    text: text('One text, such as: ebb and flow.'),
    texts: { type: 'array', minItems: 1, items: { type: 'string' }, description: 'Or a list of texts, as JSON: ["ebb and flow", "a tide mill"].' },
    chunks: { type: 'boolean', description: 'With the vectors of each passage of long texts.' } } },
  chat: { type: 'object', additionalProperties: false, oneOf: [{ required: ['prompt'] }, { required: ['messages'] }], properties: {
    prompt: text('What to ask.'), system: text('How to answer.'),
    messages: { type: 'array', minItems: 1, description: 'A conversation instead of a prompt: [{"role":"system|user|assistant","content":"…"}].',
      items: { type: 'object', required: ['role', 'content'], properties: { role: { enum: ['system', 'user', 'assistant'] }, content: { type: 'string' } } } }, ...model } },
  plan: { type: 'object', required: ['goal'], additionalProperties: false, properties: {
    goal: text('What the workflow is for.'), context: text('What the model should know.'),
    steps: { type: 'object', description: 'Steps of your own: {"shout":"makes records loud"}.' }, ...model } },
  code: { type: 'object', additionalProperties: false, anyOf: [{ required: ['task'] }, { required: ['prompt'] }], properties: {
    task: text('What to write.'), language: { type: 'string', description: 'Such as python.' },
    files: { type: 'array', description: 'What is there already: [{"name":"README.md","content":"…"}].', items: { type: 'object', required: ['name', 'content'] } },
    prompt: text('Another word for task.'), ...model } },
};

export const SAMPLES = {
  rag: { question: 'Why does the sea rise twice a day?' },
  chat: { prompt: 'What is a tide mill?' },
  plan: { goal: 'Put our documentation into the search index', context: 'It is at https://example.org/docs/' },
  code: { task: 'Write a command line tool that counts words', language: 'python' },
};
