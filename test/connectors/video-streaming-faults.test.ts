import { meetsFaults } from './fault-table.ts'

meetsFaults({
  slug: 'video-streaming',
  read: ['get_video', { video_id: 'v100078' }],
  writes: [
    ['publish_video', { video_id: 'v100087' }],
    ['create_coupon', { code: 'CALM-15', discount: '15%' }],
    ['upload_video', { file_url: 'https://media.example.com/a.mp4', title: 'New' }],
    ['update_video', { video_id: 'v100082', title: 'Renamed' }],
  ],
  submitPath: '/studio',
})
