import type { Take } from '../record.ts'

const [sourdough, flour, closed] = ['161', '162', '166']

/** Records askbot's connector on its initial test content. */
export async function recordings(take: Take): Promise<void> {
  const question = { question_id: flour }
  const tagged = { tag: 'baking', sort: 'age-asc' }
  await take({ endpoint: 'list_questions', name: 'success', input: tagged })
  await take({ endpoint: 'list_questions', name: 'none', kind: 'success', input: { tag: 'no-such-tag' } })
  await take({ endpoint: 'list_questions', name: 'signed-out', input: tagged })
  await take({ endpoint: 'get_question', name: 'success', input: question })
  await take({ endpoint: 'get_question', name: 'without-answers', kind: 'success', input: { question_id: sourdough } })
  await take({ endpoint: 'get_question', name: 'closed', kind: 'success', input: { question_id: closed } })
  await take({ endpoint: 'list_answers', name: 'success', input: question })
  const comments = { post_type: 'question', post_id: flour }
  await take({ endpoint: 'list_comments', name: 'success', input: comments })
  await take({ endpoint: 'list_tags', name: 'success', input: { query: 'flour' } })
  await take({ endpoint: 'list_tags', name: 'none', kind: 'success', input: { query: 'zzz' } })
  await take({ endpoint: 'get_user', name: 'success', input: { user_id: '2' } })
  const nobody = { question_id: '999999' }
  await take({ endpoint: 'get_question', name: 'not-found', input: nobody })
  await take({ endpoint: 'list_answers', name: 'not-found', input: nobody })
  await take({ endpoint: 'get_user', name: 'not-found', input: { user_id: '999999' } })
  await take({ endpoint: 'get_question', name: 'signed-out', input: question })
  await take({ endpoint: 'list_answers', name: 'signed-out', input: question })
  await take({ endpoint: 'list_tags', name: 'signed-out', input: { query: 'flour' } })
  await take({ endpoint: 'get_user', name: 'signed-out', input: { user_id: '2' } })

  const asked = {
    title: 'How do I slow a dough down in summer?',
    text: 'It rises too fast in this heat.',
    tags: ['baking'],
  }
  await take({ endpoint: 'ask_question', name: 'success', input: asked })
  await take({ endpoint: 'ask_question', name: 'refused', input: { ...asked, tags: ['<b>'] } })
  await take({ endpoint: 'ask_question', name: 'signed-out', input: asked })
  const answer = { ...question, text: 'Mix in some spelt, it helps.' }
  await take({ endpoint: 'post_answer', name: 'success', input: answer })
  await take({ endpoint: 'post_answer', name: 'refused', input: answer })
  await take({ endpoint: 'post_answer', name: 'closed', kind: 'refused', input: { ...answer, question_id: closed } })
  await take({ endpoint: 'post_answer', name: 'not-found', input: { ...answer, ...nobody } })
  await take({ endpoint: 'post_answer', name: 'signed-out', input: answer })
  const comment = { ...comments, text: 'A tenth of it will do.' }
  const added = await take({ endpoint: 'add_comment', name: 'success', input: comment })
  await take({ endpoint: 'add_comment', name: 'not-found', input: { ...comment, post_id: '999999' } })
  // The forum treats spaces alone as no comment.
  await take({ endpoint: 'add_comment', name: 'refused', input: { ...comment, text: ' '.repeat(20) } })
  const comment_id = added.kind === 'ok' ? added.output['comment_id'] : undefined
  await take({ endpoint: 'delete_comment', name: 'success', input: { comment_id } })
  await take({ endpoint: 'delete_comment', name: 'not-found', input: { comment_id: '999999' } })
  await take({
    endpoint: 'retag_question',
    name: 'success',
    input: { question_id: sourdough, tags: ['baking', 'trips'] },
  })
  await take({ endpoint: 'retag_question', name: 'refused', input: { question_id: sourdough, tags: ['<b>'] } })
  await take({ endpoint: 'retag_question', name: 'not-found', input: { ...nobody, tags: ['baking'] } })
  await take({ endpoint: 'upvote_question', name: 'success', input: question })
  await take({ endpoint: 'upvote_question', name: 'refused', input: { question_id: sourdough } })
  await take({ endpoint: 'upvote_question', name: 'again', kind: 'refused', input: question })
  await take({ endpoint: 'upvote_question', name: 'not-found', input: nobody })
  await take({ endpoint: 'upvote_question', name: 'signed-out', input: question })
  for (const [endpoint, input] of [
    ['add_comment', comment],
    ['delete_comment', { comment_id: '165' }],
    ['retag_question', { question_id: sourdough, tags: ['baking'] }],
  ] as const)
    await take({ endpoint, name: 'signed-out', input })
}
