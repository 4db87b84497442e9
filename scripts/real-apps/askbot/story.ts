import { rows, text } from '../../../connectors/kit/wire.ts'
import type { Fields } from '../../../connectors/kit/wire.ts'
import { holds, is } from '../expect.ts'
import type { World } from '../real-app.ts'

/** What a user with a connected forum does; each chapter leaves what the next ones need. */
export async function story(world: World): Promise<void> {
  const { log } = world
  log('signed in')
  for (const chapter of [reads, approved, refused, rejected, trusted, expired, changed, removed]) {
    await chapter(world)
    log(`${chapter.name}: true`)
  }
}

const flour = 'Which flour makes the best baguette?'
const sourdough = 'How do I keep sourdough alive while I travel?'

/** The number of a question's post, from the forum's database. */
function questionOf({ app }: World, title: string): string {
  const [row] = app.rows(
    `SELECT p.id FROM askbot_post p JOIN askbot_thread t ON t.id = p.thread_id WHERE p.post_type = 'question' AND t.title = ?`,
    title,
  )
  return String(row?.['id'])
}

/** The posts with this text: their types and authors. */
function postsOf({ app }: World, words: string): readonly string[] {
  const found = app.rows(
    `SELECT p.post_type, u.username FROM askbot_post p JOIN auth_user u ON u.id = p.author_id WHERE p.text = ? AND NOT p.deleted`,
    words,
  )
  return found.map((row) => `${String(row['post_type'])} of ${String(row['username'])}`)
}

async function pageOf({ app }: World, path: string): Promise<string> {
  return (await fetch(`${app.origin}/${path}`)).text()
}

/** Every page of a list, by its cursors. */
async function all({ agent }: World, endpoint: string, input: object, list: string): Promise<readonly Fields[]> {
  const found: Fields[] = []
  for (let cursor: unknown; cursor !== null;) {
    const page = await agent.read(endpoint, { ...input, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...rows(page[list]))
    cursor = page['next_cursor']
    holds(`the pages of ${endpoint} have no end`, found.length < 1000)
  }
  return found
}

async function reads(world: World): Promise<void> {
  const { agent, app } = world
  const threads = Number(app.rows('SELECT count(*) AS n FROM askbot_thread')[0]?.['n'])
  const questions = await all(world, 'list_questions', {}, 'questions')
  is('all questions', new Set(questions.map((one) => one['question_id'])).size, threads)
  const baking = await agent.read('list_questions', { tag: 'baking', sort: 'age-asc' })
  is(
    'the questions with a tag',
    rows(baking['questions']).map((one) => one['title']),
    [sourdough, flour],
  )
  const found = await agent.read('list_questions', { query: 'baguette' })
  is(
    'a search',
    rows(found['questions']).map((one) => one['title']),
    [flour],
  )
  is('a search for nothing', (await agent.read('list_questions', { tag: 'no-such-tag' }))['questions'], [])

  const question_id = questionOf(world, flour)
  const { asked_at, url, ...question } = await agent.read('get_question', { question_id })
  is('a question', question, {
    ...{ question_id, title: flour, text: 'The crumb is too dense with what the shop here has.' },
    ...{ author: 'joe', author_id: '2', votes: 0, answers: 2, tags: ['baking', 'flour'], closed: false },
  })
  holds(
    'a question was asked at a moment',
    Math.abs(Date.now() - Date.parse(text(asked_at))) < 365 * 86_400_000,
    asked_at,
  )
  is('its address', url, `${app.origin}/question/${question_id}/which-flour-makes-the-best-baguette/`)
  const closed = await agent.read('get_question', {
    question_id: questionOf(world, 'Is there a recipe for everything?'),
  })
  is('a closed question', closed['closed'], true)
  const none = await agent.read('list_answers', { question_id: questionOf(world, sourdough) })
  is('a question without answers', none, { total: 0, answers: [], next_cursor: null })
  const answers = await all(world, 'list_answers', { question_id: '80', sort: 'latest' }, 'answers')
  is('all answers', new Set(answers.map((one) => one['answer_id'])).size, 40)
  const two = rows((await agent.read('list_answers', { question_id }))['answers'])
  const accepted = two.filter((one) => one['accepted'] === true)
  is('the accepted answer', [two.length, accepted.map((one) => one['author'])], [2, ['test_user_1']])
  const missing = await agent.call('get_question', { question_id: '999999' })
  is('a question that is not there', [missing.to, missing.body['app_code']], ['app_rejected', 'not_found'])

  is('the tools', (await agent.tools()).filter((name) => name === 'post_answer' || name === 'list_comments').length, 2)
  const comments = await agent.use('list_comments', { post_type: 'question', post_id: question_id })
  is(
    'comments over MCP',
    rows(comments.body['comments']).map((one) => one['text']),
    ['Which one does the shop have?'],
  )
  const joe = await agent.use('get_user', { user_id: '2' })
  is('a member over MCP', [joe.body['name'], joe.body['user_id']], ['joe', '2'])
  const tags = await agent.use('list_tags', { query: 'flour' })
  is('tags over MCP', tags.body['tags'], [{ tag: 'flour', questions: 1 }])
}

/** Makes a call that needs approval, approves it as its owner, and returns its output. */
async function done(world: World, endpoint: string, input: Record<string, unknown>, mcp = false): Promise<Fields> {
  const { agent, person } = world
  const came = mcp ? await agent.use(endpoint, input) : await agent.call(endpoint, input)
  is(`${endpoint} asks first`, came.to, 'awaiting_confirmation')
  await person.approve(came.callId)
  const record = await agent.record(came.callId)
  is(`${endpoint} after its approval`, record['status'], 'executed')
  return record['output'] as Fields
}

async function approved(world: World): Promise<void> {
  const { agent, person, app } = world
  const words = 'It rises **too fast** in this heat, and I sleep long.'
  const title = 'How do I slow a dough down in summer?'
  const came = await agent.call('ask_question', { title, text: words, tags: ['baking', 'heat'] })
  is('asking asks first', came.to, 'awaiting_confirmation')
  const seen = await person.sees(came.callId)
  for (const part of [title, words, app.origin, 'baking heat', 'POST'])
    holds(`the page that asks does not show ${part}`, seen.includes(part), seen)
  is('before the approval', postsOf(world, words), [])
  await person.approve(came.callId)
  is('after the approval', (await agent.record(came.callId))['status'], 'executed')
  is('the question in the forum', postsOf(world, words), ['question of ada'])
  const question_id = questionOf(world, title)
  holds('the forum shows no such question', (await pageOf(world, `question/${question_id}/`)).includes(title))

  const target = questionOf(world, flour)
  const answer = await done(world, 'post_answer', { question_id: target, text: 'Mix in some spelt, it helps.' }, true)
  is('the answer in the forum', postsOf(world, 'Mix in some spelt, it helps.'), ['answer of ada'])
  holds(
    'its address',
    (await pageOf(world, text(answer['url']).slice(app.origin.length + 1))).includes('Mix in some spelt'),
  )

  const { comment_id } = await done(world, 'add_comment', {
    ...{ post_type: 'answer', post_id: answer['answer_id'], text: 'A tenth of it will do.' },
  })
  is('the comment in the forum', postsOf(world, 'A tenth of it will do.'), ['comment of ada'])
  await done(world, 'delete_comment', { comment_id }, true)
  is('the deleted comment', postsOf(world, 'A tenth of it will do.'), [])

  const retagged = await done(world, 'retag_question', { question_id, tags: ['summer'] })
  is('other tags', retagged['tags'], ['summer'])
  is('other tags in the forum', app.rows('SELECT tagnames FROM askbot_thread WHERE title = ?', title), [
    Object.assign(Object.create(null), { tagnames: 'summer' }),
  ])
}

async function refused(world: World): Promise<void> {
  const { agent, person } = world
  const again = { question_id: questionOf(world, flour), text: 'And another answer of mine.' }
  const early = await agent.call('post_answer', again)
  is('a second answer', [early.to, early.body['app_code']], ['app_rejected', 'already_answered'])

  // Of two concurrent answers, the recheck right before sending stops the second.
  const first = await agent.call('post_answer', { question_id: '80', text: 'A fridge, and a spoon of honey.' })
  const second = await agent.call('post_answer', { ...again, question_id: '80' })
  await person.approve(first.callId)
  is('the first of two answers', (await agent.record(first.callId))['status'], 'executed')
  await person.approve(second.callId)
  const late = await agent.record(second.callId)
  is('the second of two answers', [late['status'], errorOf(late)['app_code']], ['failed', 'already_answered'])
  is('second answers in the forum', postsOf(world, again.text), [])
}

function errorOf(record: Fields): Fields {
  return record['error'] as Fields
}

async function rejected(world: World): Promise<void> {
  const { agent, person } = world
  const words = 'Nobody will ever read this.'
  const came = await agent.call('add_comment', {
    post_type: 'question',
    post_id: questionOf(world, flour),
    text: words,
  })
  await person.reject(came.callId)
  is('a rejected call', (await agent.record(came.callId))['status'], 'rejected')
  is('a rejected comment in the forum', postsOf(world, words), [])
}

async function trusted(world: World): Promise<void> {
  const { agent, connector, app } = world
  await connector('trust', 'askbot', 'upvote_question')
  const question_id = questionOf(world, flour)
  const vote = await eventually(
    () => agent.call('upvote_question', { question_id }),
    (came) => came.to === 'executed',
  )
  is('a vote without asking', vote.body, { question_id, votes: 1 })
  is(
    'the vote in the forum',
    String(app.rows('SELECT score FROM askbot_post WHERE id = ?', question_id)[0]?.['score']),
    '1',
  )
  const again = await agent.call('upvote_question', { question_id })
  is('a second vote', [again.to, again.body['app_code']], ['app_rejected', 'already_voted'])
  const own = await agent.call('upvote_question', { question_id: questionOf(world, sourdough) })
  is(
    'a vote for oneself',
    [own.to, own.body['app_message']],
    ['app_rejected', 'Sorry, you cannot vote for your own posts'],
  )
}

/** Changes reach every process within seconds. */
async function eventually<T>(look: () => Promise<T>, good: (found: T) => boolean): Promise<T> {
  const until = Date.now() + 20_000
  for (;;) {
    const found = await look()
    if (good(found) || Date.now() > until) return found
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

async function expired(world: World): Promise<void> {
  const { agent, person, app, signIn, account } = world
  const words = 'A tepid place does it, too.'
  const came = await agent.call('add_comment', { post_type: 'question', post_id: '80', text: words })
  is('a comment asks first', came.to, 'awaiting_confirmation')
  await person.sees(came.callId)
  app.rows('DELETE FROM django_session')
  await person.approve(came.callId)
  const waits = await agent.record(came.callId)
  is('an approved call without a session', [waits['status'], waits['waiting_for']], ['running', 'reconnect'])
  is('a read without a session', (await agent.call('get_question', { question_id: '80' })).to, 'AUTH_EXPIRED')
  is('the same account', await signIn(), account)
  const record = await eventually(
    () => agent.record(came.callId),
    (found) => found['status'] !== 'running',
  )
  is('the call that waited', record['status'], 'executed')
  is('its comment in the forum', postsOf(world, words), ['comment of ada'])
}

/** Simulates releases of the forum in which an element has another class. */
const releases: readonly (readonly [file: string, text: string, other: string, endpoint: string, input: object])[] = [
  ['questions/questions.html', 'js-questions', 'js-threads', 'list_questions', {}],
  ['question/answer_card.html', 'js-answer ', 'js-reply ', 'list_answers', { question_id: '80' }],
  ['question/question_card.html', 'js-editable-content', 'js-content', 'get_question', { question_id: '80' }],
  ['macros.html', 'js-tag-name', 'js-tag-title', 'list_tags', {}],
]

async function changed({ agent, app }: World): Promise<void> {
  for (const [file, before, after, endpoint, input] of releases) {
    const back = await app.changeTemplate(file, before, after)
    const came = await agent.call(endpoint, input)
    is(
      `${endpoint} of a forum with another ${file}`,
      [came.to, Object.keys(came.body).includes('questions')],
      ['app_changed', false],
    )
    await back()
    is(`${endpoint} of the forum as it was`, (await agent.call(endpoint, input)).to, 'executed')
  }
}

async function removed({ agent, connector }: World): Promise<void> {
  const came = await agent.call('add_comment', { post_type: 'question', post_id: '80', text: 'Too late for this one.' })
  is('a call that waits', came.to, 'awaiting_confirmation')
  await connector('remove', 'askbot', '--yes')
  const gone = await eventually(
    () => agent.send('GET', '/askbot'),
    ({ status }) => status === 404,
  )
  is('the app after its removal', gone.status, 404)
  const record = await eventually(
    () => agent.record(came.callId),
    (found) => found['status'] !== 'awaiting_confirmation',
  )
  is('what waited for it', [record['status'], errorOf(record)['error']], ['failed', 'definition_changed'])
}
