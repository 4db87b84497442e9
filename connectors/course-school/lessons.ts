import { Type } from 'typebox'
import { labelled } from '../kit/declared.ts'
import type { ShownBy } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { closed, defaulted, described, id, moment, refTo } from '../kit/inputs.ts'
import { same } from '../kit/same-thing.ts'
import { UnknownShape, text, word } from '../kit/wire.ts'
import { course, lesson, lessonToPublish, section, textBlock } from './previews.ts'
import { CourseId, Lesson, LessonId, formOn, inOrder, formSaid, ref, utc } from './shared.ts'

const kinds = {
  rich_text: 'text_and_image',
  video: 'video',
  pdf: 'pdf_viewer',
  audio: 'audio',
  download: 'resource',
  quiz: 'quiz',
} as const

const lessonPage = formOn('/courses/{course_id}/lectures/{lesson_id}')

const Title = labelled(
  'Title',
  Type.String({ minLength: 1, maxLength: 200, description: 'The name of the lesson, as students see it.' }),
)
const markdown = 'Markdown for a text-and-image block; images by their address: ![what it shows](https://…).'
const shownBy: ShownBy[] = [{ read: 'get_lesson', from: { course_id: 'course_id', lesson_id: 'lesson_id' } }]

export const get_lesson = endpoint({
  summary: 'Read a lesson with its blocks in the order of the editor; blocks without text give type and title only.',
  aliases: ['what does the lesson say', 'text of a lesson', 'open a lesson', 'lesson content'],
  label: 'Read a lesson',
  brief: ['lesson_id', 'course_id'],
  access: 'read',
  request: 'GET /api/schools/mine/courses/{course_id}/lectures/{lesson_id}',
  input: { course_id: CourseId, lesson_id: LessonId },
  output: {
    ...Lesson,
    blocks: labelled(
      'Content',
      Type.Array(
        closed({
          block_id: refTo('block', 'Of a text_and_image block: pass it to update_lesson to change its text.'),
          type: labelled(
            'Kind',
            Type.Enum(Object.values(kinds), {
              type: 'string',
              description: 'text_and_image has body_markdown, any other a title; resource is a file to download.',
            }),
          ),
          body_markdown: Type.Optional(
            labelled('Text', Type.String({ description: 'Of text_and_image blocks only.' })),
          ),
          title: Type.Optional(Type.String({ description: 'Of all other blocks.' })),
        }),
        { description: 'In the order of the editor; empty when the lesson has none.' },
      ),
    ),
  },
  decode: ({ course, no, heading, live, pieces }, { input }) => {
    same(input.course_id, ref(course))
    const blocks = inOrder(pieces).map((piece) => ({
      block_id: ref(piece['no']),
      type: word(kinds, piece['kind']),
      ...(piece['kind'] === 'rich_text' ? { body_markdown: text(piece['md']) } : { title: text(piece['caption']) }),
    }))
    return { lesson_id: ref(no), name: heading, published: live, blocks }
  },
})

export const create_lesson = endpoint({
  summary: 'Add a lesson at the end of a section; students do not see it until it is published.',
  aliases: ['new lecture', 'write a new lesson', 'add a chapter to a course', 'new unit'],
  label: 'Add a lesson',
  brief: ['title', 'course_id', 'section_id', 'body_markdown'],
  approval: {
    headline: 'Add the lesson {title} to the section[ {section_id}][ of {course_id}]',
    button: 'Add lesson',
    consequences: [{ kind: 'other', text: 'Students do not see it until it is published' }],
  },
  effect: 'adds',
  shownBy: [{ read: 'get_curriculum', from: { course_id: 'course_id' } }],
  preview: [course, section],
  verify: {
    read: 'get_curriculum',
    from: { course_id: 'course_id' },
    at: 'sections.lessons',
    id: 'lesson_id',
    same: { name: 'title' },
  },
  access: 'write',
  request: 'POST /api/schools/mine/courses/{course_id}/sections/{section_id}/lectures',
  input: {
    course_id: CourseId,
    section_id: labelled('Section', id('section', 'Which section of the course: section_id from get_curriculum.')),
    title: Title,
    body_markdown: Type.Optional(labelled('Text', Type.String({ maxLength: 50_000, description: markdown }))),
  },
  output: {
    lesson_id: Lesson.lesson_id,
    name: Lesson.name,
    section_id: refTo('section', 'The section whose last lesson it is now.'),
    published: Type.Literal(false, { description: 'Students do not see it until publish_lesson shows it.' }),
  },
  encode: ({ title, body_markdown }) => ({ json: { heading: title, md: body_markdown } }),
  decode: ({ course, no, heading, section, live }, { input }) => {
    same(input.course_id, ref(course))
    return { lesson_id: ref(no), name: heading, section_id: ref(section), published: live }
  },
})

export const update_lesson = endpoint({
  summary:
    'Change the name of a lesson, one text-and-image block of it, or both; edits of a published lesson are live.',
  aliases: ['edit a lesson', 'fix a typo in a lecture', 'rename a lesson', 'rewrite the text of a lesson'],
  label: 'Change a lesson',
  brief: ['lesson_id', 'title', 'body_markdown', 'course_id'],
  approval: {
    headline: 'Change the lesson[ {lesson_id}][, with the new name {title}][, with the new text {body_markdown}]',
    button: 'Change lesson',
    consequences: [
      { kind: 'public', text: 'Students of {course_id} see it at once if the lesson is published' },
      { kind: 'other', text: 'Empties the text', when: { body_markdown: [''] } },
    ],
  },
  effect: 'changes',
  shownBy,
  preview: [course, lesson, textBlock],
  access: 'write',
  confirm: true,
  request: 'POST /schools/mine/courses/{course_id}/lectures/{lesson_id}',
  input: {
    course_id: CourseId,
    lesson_id: LessonId,
    title: Type.Optional(Title),
    body_markdown: Type.Optional(
      labelled(
        'Text',
        Type.String({
          maxLength: 50_000,
          description: `The block's whole new text; an empty one empties it. ${markdown}`,
        }),
      ),
    ),
    block_id: Type.Optional(
      labelled(
        'Block',
        id(
          'block',
          'Which block gets body_markdown: block_id from get_lesson. Default: the first text-and-image block.',
        ),
      ),
    ),
  },
  atLeastOne: ['title', 'body_markdown'],
  output: {
    lesson_id: Lesson.lesson_id,
    name: Lesson.name,
    updated_block_id: Type.Union([refTo('block'), Type.Null()], {
      description: 'The block whose text changed; null when only the name did.',
    }),
    published: Lesson.published,
    updated_at: described(moment, 'When the lesson was last edited, in UTC.'),
  },
  csrf: lessonPage,
  answer: 'redirect',
  after: 'GET /api/schools/mine/courses/{course_id}/lectures/{lesson_id}',
  encode: ({ title, body_markdown, block_id }) => ({ form: { heading: title, md: body_markdown, piece: block_id } }),
  decode: ({ course, no, heading, live, edited }, { input, location }) => {
    same(input.course_id, ref(course))
    const saved = /^\/courses\/(?<to>\d+)\/lectures\/\d+\?saved=1(?:&piece=(?<piece>\d+))?$/
    const { to, piece } = formSaid(location, saved)
    same(input.course_id, to)
    if ((piece === undefined) !== (input.body_markdown === undefined))
      throw new UnknownShape('another part was changed')
    if (piece !== undefined && input.block_id !== undefined) same(input.block_id, piece)
    return {
      lesson_id: ref(no),
      name: heading,
      updated_block_id: piece ?? null,
      published: live,
      updated_at: utc(edited),
    }
  },
})

export const publish_lesson = endpoint({
  summary: 'Publish a lesson, so that enrolled students see it, or unpublish it, so that it is hidden from them.',
  aliases: [
    'make a lesson live',
    'release a lesson to students',
    'hide a lesson',
    'take a lesson offline',
    'unpublish',
    'students may see the lecture now',
    'hide it from students',
  ],
  label: 'Publish or unpublish a lesson',
  brief: ['lesson_id', 'published', 'course_id'],
  approval: {
    headline: 'Publish the lesson[ {lesson_id}] of {course_id}',
    button: 'Publish lesson',
    instead: [
      { when: { published: [false] }, headline: 'Hide the lesson[ {lesson_id}] of {course_id}', button: 'Hide lesson' },
    ],
    consequences: [
      { kind: 'public', text: 'Students of the course can see it', when: { published: [true] } },
      { kind: 'people', text: 'Students of the course can no longer see it', when: { published: [false] } },
    ],
  },
  effect: 'changes',
  shownBy,
  preview: [course, lessonToPublish],
  verify: {
    read: 'get_lesson',
    from: { course_id: 'course_id', lesson_id: 'lesson_id' },
    same: { lesson_id: 'lesson_id', published: 'published' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /schools/mine/courses/{course_id}/lectures/{lesson_id}/visibility',
  input: {
    course_id: CourseId,
    lesson_id: LessonId,
    published: defaulted(
      labelled('Published', Type.Boolean({ description: 'true to publish the lesson, false to unpublish it.' })),
      true,
    ),
  },
  output: { lesson_id: Lesson.lesson_id, published: Lesson.published },
  csrf: lessonPage,
  answer: 'redirect',
  encode: ({ published }) => ({ form: { live: published ? '1' : '0' } }),
  decode: (_answer, { input, location }) => {
    const { course, lesson, live } = formSaid(
      location,
      /^\/courses\/(?<course>\d+)\/lectures\/(?<lesson>\d+)\?live=(?<live>[01])$/,
    )
    same(input.course_id, course)
    return { lesson_id: lesson, published: live === '1' }
  },
})
