export type Sex = 'female' | 'male';
