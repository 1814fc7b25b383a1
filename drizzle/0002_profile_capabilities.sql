CREATE TABLE `profile_capabilities` (
	`profile_id` text NOT NULL,
	`node_id` text NOT NULL,
	`runtime` text NOT NULL,
	`capabilities` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`profile_id`, `node_id`, `runtime`)
);
