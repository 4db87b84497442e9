import type { Thing } from '../kit/declared.ts'

export const things: Readonly<Record<string, Thing>> = {
  course: {
    label: 'course',
    toldBy: [{ read: 'list_courses', at: 'courses', id: 'course_id' }],
    title: ['name'],
    facts: ['published', 'url'],
  },
  section: {
    label: 'section',
    toldBy: [{ read: 'get_curriculum', at: 'sections', id: 'section_id' }],
    title: ['name'],
    facts: [],
  },
  lesson: {
    label: 'lesson',
    toldBy: [
      { read: 'get_lesson', by: 'lesson_id', id: 'lesson_id' },
      { read: 'get_curriculum', at: 'sections.lessons', id: 'lesson_id' },
    ],
    title: ['name'],
    facts: ['published'],
  },
  block: {
    label: 'block',
    toldBy: [{ read: 'get_lesson', at: 'blocks', id: 'block_id' }],
    title: ['title', 'body_markdown'],
    facts: ['type'],
  },
  comment: {
    label: 'comment',
    toldBy: [{ read: 'list_comments', at: 'comments', id: 'comment_id' }],
    title: ['author'],
    facts: ['body', 'lesson', 'created_at'],
  },
  coupon: {
    label: 'coupon',
    toldBy: [{ read: 'list_coupons', at: 'coupons', id: 'coupon_id' }],
    title: ['code'],
    facts: ['discount', 'applies_to', 'status'],
  },
  user: {
    label: 'student',
    toldBy: [{ read: 'list_students', at: 'students', id: 'user_id' }],
    title: ['name', 'email'],
    facts: ['email', 'joined_at'],
  },
}
